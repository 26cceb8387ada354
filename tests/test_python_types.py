"""Python types: an instance goes to every dialect's wire and comes back equal."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
import pickle
import threading
import uuid
from collections.abc import Callable
from decimal import Decimal
from ipaddress import IPv4Address
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    TypeVar,
)

import pytest
from pydantic import (
    AliasChoices,
    AliasPath,
    AnyUrl,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Json,
    NaiveDatetime,
    PlainSerializer,
    RootModel,
    SecretStr,
    Tag,
    computed_field,
    field_serializer,
    model_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import TypedDict  # pydantic takes no other before Python 3.12

import wireshape as ws
from wireshape.read import python

T = TypeVar("T")
UTC = dt.UTC


class Colour(enum.Enum):
    red = "red"
    blue = "blue"


class Level(enum.IntEnum):
    low = 1
    high = 2


class Mixed(enum.Enum):
    one = 1
    two = "two"


class Aliased(BaseModel):
    size: int = Field(alias="theSize")


class TwoNames(BaseModel):
    size: int = Field(validation_alias="size_in", serialization_alias="size_out")
    others: list[TwoNames] = []


class OutName(BaseModel):
    size: int = Field(serialization_alias="size_out")


class Choices(BaseModel):
    size: int = Field(validation_alias=AliasChoices("sz", "size"))


class ByName(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    size: int = Field(alias="theSize")


class NameOnly(BaseModel):
    model_config = ConfigDict(validate_by_alias=False, validate_by_name=True)
    size: int = Field(alias="theSize")


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Owner(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")
    pets: list[Cat | Dog] = []


class Scalars(BaseModel):
    price: Decimal
    at: dt.datetime
    day: dt.date
    clock: dt.time
    span: dt.timedelta
    id: uuid.UUID
    raw: bytes
    colour: Colour
    level: Level
    mixed: Mixed


SCALARS = Scalars(
    price=Decimal("19.90"),
    at=dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    day=dt.date(2026, 1, 2),
    clock=dt.time(3, 4, 5, tzinfo=UTC),
    span=dt.timedelta(days=1, hours=2),
    id=uuid.UUID(int=7),
    raw=b"abc",
    colour=Colour.blue,
    level=Level.high,
    mixed=Mixed.two,
)


class Box(BaseModel, Generic[T]):
    content: T


class Tags(RootModel[list[str]]):
    pass


class Scores(RootModel[dict[str, int]]):
    pass


class Tree(BaseModel):
    label: str
    children: list[Tree] = []


class Person(BaseModel):
    name: str
    employer: Optional[Company] = None  # noqa: UP045 - the old spelling is what is tested


class Company(BaseModel):
    name: str
    staff: list[Person] = []


class Defaults(BaseModel):
    a: int = 1
    b: str | None = None
    c: list[int] = Field(default_factory=list)
    d: Colour = Colour.red


class Computed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    width: int
    height: int

    @computed_field
    @property
    def area(self) -> int:
        return self.width * self.height


class OwnSerializer(BaseModel):
    day: dt.date
    tag: Annotated[Colour, PlainSerializer(lambda c: c.name, return_type=str)]

    @field_serializer("day")
    def _day(self, value: dt.date) -> str:
        return value.strftime("%Y-%m-%d")


class JsonInside(BaseModel):
    payload: Json[list[int]]


Tagged = Annotated[
    Annotated[Cat, Tag("cat")] | Annotated[Dog, Tag("dog")],
    Discriminator(lambda v: v["kind"] if isinstance(v, dict) else v.kind),
]


@pydantic_dataclass
class AliasedPoint:
    x: int = Field(alias="X")


class Network(BaseModel):
    ip: IPv4Address
    url: AnyUrl
    path: Path


class Puppy(Dog):
    weeks: int


class Nested(BaseModel):
    grid: list[list[Aliased]]
    by_name: dict[str, Cat]
    pair: tuple[Aliased, int]


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0
    label: str | None = None


class Movie(TypedDict, total=False):
    title: str
    year: int


class Strict(TypedDict):
    title: str
    seen: NotRequired[dt.date]


class Range(NamedTuple):
    low: int
    high: int = 10


CASES: dict[str, tuple[Any, Any]] = {
    "alias": (Aliased, Aliased(theSize=1)),
    "two_names": (TwoNames, TwoNames(size_in=1, others=[TwoNames(size_in=2)])),
    "two_names_in_a_union": (
        list[TwoNames | Dog],
        [Dog(kind="dog", barks=True), TwoNames(size_in=1)],
    ),
    "two_names_in_a_tuple": (tuple[int, TwoNames], (1, TwoNames(size_in=1))),
    "two_names_in_a_list": (list[TwoNames], [TwoNames(size_in=1)]),
    "serialization_alias": (OutName, OutName(size=1)),
    "alias_choices": (Choices, Choices(sz=1)),
    "populate_by_name": (ByName, ByName(size=1)),
    "validate_by_name": (NameOnly, NameOnly(size=1)),
    "discriminator": (Owner, Owner(pet=Cat(kind="cat"), pets=[Dog(kind="dog", barks=True)])),
    "scalars": (Scalars, SCALARS),
    "decimal": (Decimal, Decimal("0.1")),
    "datetime": (dt.datetime, SCALARS.at),
    "uuid": (uuid.UUID, SCALARS.id),
    "bytes": (bytes, b"abc"),
    "enum": (Colour, Colour.red),
    "int_enum": (list[Level], [Level.low, Level.high]),
    "mixed_enum": (list[Mixed], [Mixed.one, Mixed.two]),
    "generic": (Box[int], Box[int](content=1)),
    "generic_of_model": (Box[Cat], Box[Cat](content=Cat(kind="cat", lives=3))),
    "root_model": (Tags, Tags(["a"])),
    "root_model_of_map": (Scores, Scores({"a": 1})),
    "recursive": (Tree, Tree(label="a", children=[Tree(label="b"), Tree(label="c")])),
    "mutually_recursive": (
        Person,
        Person(name="Ada", employer=Company(name="X", staff=[Person(name="Bob")])),
    ),
    "defaults": (Defaults, Defaults()),
    "defaults_set": (Defaults, Defaults(a=2, b="x", c=[1], d=Colour.blue)),
    "dataclass": (Point, Point(1.5, label="p")),
    "typed_dict": (Movie, {"title": "Alien"}),
    "typed_dict_empty": (Movie, {}),
    "typed_dict_of_dates": (Strict, {"title": "Alien", "seen": dt.date(2026, 1, 2)}),
    "named_tuple": (Range, Range(1, 2)),
    "optional": (Optional[int], None),  # noqa: UP045 - the old spelling is what is tested
    "optional_set": (int | None, 3),
    "computed_field": (Computed, Computed(width=2, height=3)),
    "custom_serializer": (OwnSerializer, OwnSerializer(day=dt.date(2026, 1, 2), tag=Colour.red)),
    "json_in_a_string": (JsonInside, JsonInside(payload="[1, 2]")),
    "tagged_union": (list[Tagged], [Cat(kind="cat"), Dog(kind="dog", barks=False)]),
    "pydantic_dataclass": (AliasedPoint, AliasedPoint(X=1)),
    "network_types": (Network, Network(ip="10.0.0.1", url="https://example.org/", path="/tmp/x")),
    "inherited": (Puppy, Puppy(kind="dog", barks=True, weeks=8)),
    "nested": (
        Nested,
        Nested(
            grid=[[Aliased(theSize=1)], []],
            by_name={"tom": Cat(kind="cat")},
            pair=(Aliased(theSize=2), 3),
        ),
    ),
    "set": (set[int], {1, 2}),
    "frozen_map": (dict[str, Point], {"p": Point(1.0)}),
    "literal": (Literal["a", 1, None], 1),
    "annotated": (Annotated[int, Field(ge=1, le=5)], 3),
    "union_of_models": (list[Aliased | Cat], [Cat(kind="cat"), Aliased(theSize=1)]),
    "union_of_scalars": (list[int | str], [1, "1"]),
    "list_of_tuples": (list[tuple[str, int]], [("a", 1)]),
    "fixed_tuple_of_any_length": (tuple[int, ...], (1, 2, 3)),
}


MAJORS: list[str] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rows.json").read_text("utf-8")
)["every_case"]
OTHERS = [d for d in ws.dialects() if d not in MAJORS]
PAIRS = [(case, d) for case in CASES for d in MAJORS]
PAIRS += [("discriminator", d) for d in OTHERS]
PAIRS += [
    (case, d) for i, case in enumerate(CASES) for d in OTHERS[i % 6 :: 6] if case != "discriminator"
]
"""Every case for the nine rows that keep every golden case; unions and each sixth case for the others."""


@pytest.mark.parametrize(("case", "dialect"), PAIRS)
def test_an_instance_comes_back_equal(case: str, dialect: str) -> None:
    tp, instance = CASES[case]
    c = ws.compile(tp, dialect)
    assert ws.check(c.schema, dialect) == []
    wire = c.encode(instance)
    json.dumps(wire, allow_nan=False)
    back = c.validate(c.decode(wire))
    assert back == instance
    assert type(back) is type(instance)


@pytest.mark.parametrize("case", CASES)
def test_the_document_describes_what_dump_writes(case: str) -> None:
    tp, instance = CASES[case]
    plain = python.dump(tp, instance)
    assert json.loads(json.dumps(plain)) == plain
    assert ws.compile(python.document_of(tp), "lenient").validate(plain) == plain
    assert python.load(tp, plain) == instance


def test_plain_values_pass_through_unchanged() -> None:
    plain = {"theSize": 1}
    assert python.dump(Aliased, plain) is plain
    c = ws.compile(OwnSerializer, "openai-strict")
    assert c.encode({"day": "2026-01-02", "tag": "red"}) == {"day": "2026-01-02", "tag": "red"}


def test_instances_may_stand_anywhere_in_plain_values() -> None:
    mixed = {"pet": {"kind": "cat", "lives": 9}, "pets": [Dog(kind="dog", barks=True)]}
    assert python.dump(Owner, mixed) == {
        "pet": {"kind": "cat", "lives": 9},
        "pets": [{"kind": "dog", "barks": True}],
    }
    assert python.dump(list[Any], [Aliased(theSize=1), Colour.red, {"at": SCALARS.at}]) == [
        {"theSize": 1},
        "red",
        {"at": "2026-01-02T03:04:05Z"},
    ]
    assert python.dump(dict[str, Any], {"k": (1, Level.low)}) == {"k": [1, 1]}
    assert python.dump(Any, {Colour.red: Cat(kind="cat")}) == {"red": {"kind": "cat", "lives": 9}}


EAST = dt.timezone(dt.timedelta(hours=5, minutes=30))


@pytest.mark.parametrize(
    "dialect", ["openai-strict", "anthropic-strict", "gemini-openapi", "lenient"]
)
@pytest.mark.parametrize(
    ("tp", "value"),
    [
        *[(dt.datetime, dt.datetime(2026, 1, 2, tzinfo=zone)) for zone in (None, UTC, EAST)],
        (dt.datetime, dt.datetime(1, 2, 3, 4, 5, 6, 7)),
        *[(dt.time, dt.time(3, 4, tzinfo=zone)) for zone in (None, UTC, EAST)],
        (dt.time, dt.time(3, 4, 5, 6)),
        *[(dt.timedelta, dt.timedelta(days=days)) for days in (0, -1, 7, 400, 1.5, 1e-8)],
        (dt.timedelta, dt.timedelta.max),
        (NaiveDatetime, dt.datetime(2026, 1, 2)),
        (AwareDatetime, dt.datetime(2026, 1, 2, tzinfo=EAST)),
    ],
)
def test_times_of_every_kind_travel(tp: Any, value: Any, dialect: str) -> None:
    compiled = ws.compile(tp, dialect)
    assert compiled.validate(compiled.decode(compiled.encode(value))) == value


def test_times_are_asked_for_as_pydantic_takes_them() -> None:
    def takes(tp: Any, text: str) -> bool:
        return ws.compile(tp, "openai-strict").parse(json.dumps({"value": text})).kind == "output"

    here, there = "2026-01-02T03:04:05", "2026-01-02T03:04:05.123456789+05:30"
    assert [takes(dt.datetime, text) for text in (here, there, "soon")] == [True, True, False]
    assert [takes(NaiveDatetime, text) for text in (here, there)] == [True, False]
    assert [takes(AwareDatetime, text) for text in (here, there)] == [False, True]
    assert [takes(dt.time, text) for text in ("03:04", "03:04:05Z", "3 pm")] == [True, True, False]
    assert [takes(dt.timedelta, text) for text in ("PT1.5S", "P1Y35D", "1 h")] == [
        True,
        True,
        False,
    ]


def test_a_field_that_is_read_from_a_path_is_refused() -> None:
    class Deep(BaseModel):
        p: str = Field(validation_alias=AliasPath("q", "r"))

    class Named(Deep):
        model_config = ConfigDict(validate_by_name=True)

    for tp in (Deep, list[Deep]):
        with pytest.raises(ws.SchemaError, match="the field 'p' is read from a path"):
            ws.compile(tp, "openai-strict")
    assert ws.compile(Named, "openai-strict").validate({"p": "x"}).p == "x"


class Hiding(BaseModel):
    name: str = "a"
    token: str = Field(default="", exclude=True)


class Base(BaseModel):
    q: int = 0


class Adding(Base):
    more: str = "m"


class Naming(Base):
    def name(self) -> str:
        return str(self.q)


class Holder(BaseModel):
    base: Base = Base()
    bases: list[Base] = []


@dataclasses.dataclass
class Spot:
    x: int = 0
    cached: int = dataclasses.field(default=0, init=False, compare=False)


@dataclasses.dataclass
class Spot3(Spot):
    z: int = 0


class Stranger(BaseModel):
    z: int = 3


class Keeper(BaseModel):
    secret: SecretStr


@pytest.mark.parametrize(
    ("tp", "value", "place", "words"),
    [
        (Hiding, Hiding(token="t"), "/token", "does not come back as it was"),
        (Keeper, Keeper(secret=SecretStr("s")), "/secret", "SecretStr does not come back"),
        (SecretStr, SecretStr("s"), "", "SecretStr does not come back"),
        (Any, Keeper(secret=SecretStr("s")), "/secret", "SecretStr does not come back"),
        (list[Any], [Keeper(secret=SecretStr("s"))], "/0/secret", "SecretStr does not come back"),
        (Base, Adding(), "/more", "str is left out"),
        (Holder, Holder(base=Adding()), "/base/more", "str is left out"),
        (Holder, Holder(bases=[Base(), Adding()]), "/bases/1/more", "str is left out"),
        (Spot, Spot3(z=1), "/z", "int is left out"),
        (Base, Stranger(), "", "is Stranger where Base is declared"),
    ],
)
def test_an_instance_encodes_to_itself_or_not_at_all(
    tp: Any, value: Any, place: str, words: str
) -> None:
    for dialect in ("openai-strict", "lenient"):
        with pytest.raises(ws.EncodeError, match=words) as caught:
            ws.compile(tp, dialect).encode(value)
        assert (caught.value.code, caught.value.pointer) == ("WS603", place)


@pytest.mark.parametrize(
    ("tp", "value"),
    [
        (Hiding, Hiding()),
        (Holder, Holder(base=Base(q=2), bases=[Base(q=1)])),
        (Holder, Holder(base=Naming(q=1))),
        (Any, Base(q=3)),
    ],
)
def test_what_loses_no_data_is_written(tp: Any, value: Any) -> None:
    again = value.model_validate(python.dump(tp, value))
    assert again.model_dump() == value.model_dump()


def test_instances_in_containers_are_written_by_their_own_types() -> None:
    assert python.dump(list[Base], [Base(), Adding()]) == [{"q": 0}, {"q": 0, "more": "m"}]


class Unspoken:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "source",
    [
        5,
        3.5,
        "Order",
        len,
        lambda x: x,
        Cat(kind="cat"),
        object(),
        type("Plain", (), {}),
        list["Nowhere"],  # noqa: F821 - that is the point
        TypeVar("T"),
        complex,
        dict[str, complex],
        Unspoken(),
    ],
    ids=lambda source: type(source).__name__,
)
def test_what_is_no_type_is_a_schema_error(source: Any) -> None:
    with pytest.raises(ws.SchemaError) as e:
        python.document_of(source)
    assert e.value.code == "WS150"


def test_types_that_json_schema_cannot_describe() -> None:
    broken = [Annotated[str, Field(pattern=p)] for p in ("(?=a)b", "(")]
    for tp in (Callable[[], int], *broken):
        with pytest.raises(ws.SchemaError, match="has no JSON Schema"):
            python.document_of(tp)


def test_a_default_that_is_no_json_is_left_out_without_a_warning() -> None:
    class Odd(BaseModel):
        x: Any = object()

    assert "default" not in python.document_of(Odd)["properties"]["x"]


@pytest.mark.parametrize(
    ("tp", "value", "pointer"),
    [
        (bytes, b"\xff", ""),
        (list[Any], [object()], "/0"),
        (dict[str, Any], {"a": {"b": object()}}, "/a/b"),
        (Any, object(), ""),
    ],
)
def test_what_cannot_be_dumped_is_an_encode_error(tp: Any, value: Any, pointer: str) -> None:
    with pytest.raises(ws.EncodeError) as e:
        python.dump(tp, value)
    assert e.value.code == "WS603"
    assert e.value.pointer == pointer


def test_a_value_that_contains_itself_is_an_encode_error() -> None:
    loop: list[Any] = [Colour.red]
    loop.append(loop)
    with pytest.raises(ws.EncodeError):
        python.dump(list[Any], loop)


def test_a_failing_serializer_is_an_encode_error() -> None:
    class Broken(BaseModel):
        x: int

        @field_serializer("x")
        def _x(self, value: int) -> int:
            raise ValueError("no")

    with pytest.raises(ws.EncodeError, match="Broken cannot be written as JSON"):
        python.dump(Broken, Broken(x=1))


@pytest.mark.parametrize(
    ("tp", "value", "pointer", "text"),
    [
        (Owner, {"pet": {"kind": "cow"}}, "/pet", "does not match"),
        (Owner, {"pet": {"kind": "cat", "lives": "x"}}, "/pet/lives", "valid integer"),
        (Owner, {"pet": {"kind": "dog"}}, "/pet", "Field required: 'barks'"),
        (list[int | bool], [1, "x"], "/1", "valid integer"),
        (dict[str, Point], {"a/b": {"x": "?"}}, "/a~1b/x", "valid number"),
        (Aliased, 5, "", "object"),
        (Any, float("nan"), "", "not JSON"),
    ],
)
def test_load_tells_where(tp: Any, value: Any, pointer: str, text: str) -> None:
    with pytest.raises(ws.ValidationError, match=text) as e:
        python.load(tp, value)
    assert e.value.code == "WS602"
    assert e.value.pointer == pointer


def test_a_validator_of_the_model_gates_too() -> None:
    class Even(BaseModel):
        n: int

        @model_validator(mode="after")
        def _even(self) -> Even:
            if self.n % 2:
                raise ValueError("must be even")
            return self

    c = ws.compile(Even, "openai-strict")
    assert c.validate({"n": 2}) == Even(n=2)
    with pytest.raises(ws.ValidationError, match="must be even") as e:
        c.validate({"n": 3})
    assert e.value.code == "WS602"


def test_types_that_typing_calls_equal_are_told_apart() -> None:
    first, second = python.document_of(int | str), python.document_of(str | int)
    assert first != second
    assert python.document_of(Literal["a", "b"]) != python.document_of(Literal["b", "a"])


def test_unhashable_types_work() -> None:
    tp = Annotated[int, {"un": "hashable"}]
    assert python.document_of(tp) == {"type": "integer"}
    assert python.dump(tp, 3) == 3
    assert python.dump(list[Annotated[Colour, []]], [Colour.red]) == ["red"]


def test_compiling_twice_gives_the_same_bytes() -> None:
    for tp, _ in CASES.values():
        first, second = (json.dumps(ws.compile(tp, "openai-strict").schema) for _ in range(2))
        assert first == second


def test_a_compilation_of_a_model_can_be_pickled() -> None:
    c = pickle.loads(pickle.dumps(ws.compile(Tree, "openai-strict")))
    tree = Tree(label="a", children=[Tree(label="b")])
    assert c.validate(c.decode(c.encode(tree))) == tree


def test_an_artifact_gives_instances_again_once_bound() -> None:
    c = ws.compile(Owner, "anthropic-strict")
    again = ws.Compiled.from_json(c.to_json())
    owner = Owner(pet=Cat(kind="cat"))
    wire = c.encode(owner)
    assert again.validate(again.decode(wire)) == python.dump(Owner, owner)
    assert again.bind(Owner).validate(again.decode(wire)) == owner


def test_threads_share_adapters() -> None:
    found: list[Any] = []

    def work() -> None:
        found.append(ws.compile(Tree, "openai-strict").encode(Tree(label="a")))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [{"label": "a", "children": []}] * 8


class Bounds(BaseModel):
    most: float = float("inf")


def test_a_default_that_is_no_json_number_is_left_out() -> None:
    compiled = ws.compile(Bounds, "openai-strict")
    assert compiled.validate(compiled.decode({"most": None})) == Bounds()
    assert compiled.encode(Bounds(most=1)) == {"most": 1}


def test_a_class_instead_of_an_instance_is_a_typed_error() -> None:
    compiled = ws.compile(Bounds, "openai-strict")
    with pytest.raises(ws.EncodeError):
        compiled.encode(Bounds)


def test_times_out_of_range_are_not_on_the_wire() -> None:
    """The pattern of a time holds the ranges that pydantic holds, and says in words what it is for."""
    compiled = ws.compile(dt.datetime, "openai-strict")
    assert compiled.validate("2026-12-31T23:59") == dt.datetime(2026, 12, 31, 23, 59)
    for text in ("2026-13-01T00:00", "2026-01-32T00:00", "2026-01-01T24:00", "2026-01-01T00:60"):
        with pytest.raises(ws.ValidationError, match="pattern"):
            compiled.validate(text)
    assert "date and time, ISO 8601" in json.dumps(compiled.schema)
