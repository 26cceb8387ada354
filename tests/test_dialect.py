"""Rows and their loading: every built-in row is consistent and sourced, every bad row is a typed error."""

from __future__ import annotations

import ast
import json
import pickle
import subprocess
import sys
import time
from dataclasses import MISSING, fields, replace
from importlib import resources
from pathlib import Path

import pytest

from wireshape import dialect_model as model
from wireshape.api import Delivery, Names
from wireshape.dialect import (
    SECTIONS,
    Anything,
    Arrays,
    Dialect,
    Enums,
    Keywords,
    Limits,
    Nullable,
    Objects,
    Refs,
    Strings,
    Unions,
    build,
    builtin,
    dialect,
    dialects,
    document_of_row,
    load_dialect,
    merged,
    resolve,
)
from wireshape.dialect_apis import api_tables, apis_of, own_apis
from wireshape.dialect_evidence import (
    Evidence,
    alias_of,
    evidence,
    own_evidence,
    row_document,
)
from wireshape.errors import DialectError
from wireshape.regex import FEATURES

ROWS = dialects()
TOP_FACTS = ("draft", "carriers")


def facts(row: dict) -> dict[str, object]:
    """Flatten a row into field path -> value."""
    flat = {k: row[k] for k in TOP_FACTS if k in row}
    for name in (*SECTIONS, "apis"):
        flat |= {f"{name}.{k}": v for k, v in row.get(name, {}).items()}
    return flat


def same(a: object, b: object) -> bool:
    return (
        sorted(a) == sorted(b)
        if isinstance(a, (list, tuple, frozenset)) and b is not None
        else a == b
    )


def test_loading_a_row_is_quick_and_reads_no_evidence():
    module = sys.modules["wireshape.dialect"]
    for name in ROWS:
        for cached in (module.parts, module.builtin, module.loaded):
            cached.cache_clear()
        best = min(timed(name, module) for _ in range(5))
        assert best < 0.003, f"{name}: {1000 * best:.1f} ms"


def timed(name, module):
    for cached in (module.parts, module.builtin, module.loaded):
        cached.cache_clear()
    start = time.process_time()
    module.dialect(name)
    return time.process_time() - start


def test_the_evidence_is_the_last_table():
    for name in ROWS:
        text = (resources.files("wireshape.dialects") / f"{name}.toml").read_text("utf-8")
        rest = text.partition("\n[evidence]\n")[2]
        assert "\n[" not in rest


def test_the_nine_rows_exist():
    assert set(ROWS) >= {
        "lenient", "tools-lenient", "openai-strict", "openai-non-strict", "anthropic-strict", "anthropic-non-strict",
        "gemini-json-schema", "gemini-openapi", "xai-strict",
    }  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_row_is_valid_and_consistent(name):
    model.validate_builtin(name)
    d = dialect(name)
    assert model.problems(d) == []
    assert d.id == name
    assert d.title and d.family
    assert d.strings.forbid <= FEATURES


def inherited(name: str) -> dict:
    """What the parent of a row says, without what the row unsets."""
    raw = builtin(name)
    if "extends" not in raw:
        return {}
    return merged({k: v for k, v in raw.items() if k in ("extends", "unset")})


@pytest.mark.parametrize("name", ROWS)
def test_every_fact_differs_and_has_evidence(name):
    raw, found = builtin(name) | own_apis(name), evidence(name)
    before, own = facts(inherited(name)), facts(raw)
    defaults = facts(json.loads(json.dumps(_plain(Dialect(id="default")))))
    for path, value in own.items():
        assert not same(value, before.get(path, defaults.get(path))), (
            f"{path} repeats what it inherits"
        )
    patterns = {"models"} if set(raw.get("models", {})) - {"providers"} else set()
    assert set(own) | set(raw.get("unset", ())) | patterns == set(own_evidence(name))
    assert set(found) >= set(facts(merged(raw)))
    for entry in found.values():
        assert entry.source and entry.date
        assert entry.note or entry.confidence not in ("conflicting", "assumed")
        if entry.source.startswith("ARCHITECTURE.md: "):
            page = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text("utf-8")
            assert f"\n## {entry.source.partition(': ')[2].capitalize()}\n" in page


@pytest.mark.parametrize("name", ROWS)
def test_what_a_row_unsets_was_set(name):
    raw = builtin(name)
    parent = merged(builtin(raw["extends"])) if "extends" in raw else {}
    parent["apis"] = api_tables(raw["extends"]) if "extends" in raw else {}
    for path in raw.get("unset", ()):
        table, _, field_name = path.partition(".")
        assert parent[table] if not field_name else field_name in parent[table]


def test_an_alias_states_nothing_but_its_name():
    aliases = {name: alias_of(name) for name in ROWS if alias_of(name) is not None}
    assert aliases["bedrock-open-strict"] == "anthropic-strict"
    for name, target in aliases.items():
        assert target not in aliases
        assert of_schemas(dialect(name)) == of_schemas(dialect(target))


def of_schemas(d: Dialect) -> Dialect:
    """What a row says of schemas alone."""
    return replace(d, id="x", title="", family="", names=Names(), delivery=Delivery())


def test_a_fact_whose_source_is_silent_is_assumed():
    for name in ROWS:
        for path, entry in evidence(name).items():
            if "not documented" in entry.note:
                assert entry.confidence == "assumed", (name, path)


def _plain(d: Dialect) -> dict:
    row = {"draft": d.draft, "carriers": list(d.carriers)}
    for name, factory in SECTIONS.items():
        section = getattr(d, name)
        assert type(section) is factory
        row[name] = {f.name: getattr(section, f.name) for f in fields(section)}
        row[name] = {k: sorted(v) if isinstance(v, frozenset) else v for k, v in row[name].items()}
    return row


@pytest.mark.parametrize("name", ROWS)
def test_row_is_hashable_picklable_shared_and_documented(name):
    d = dialect(name)
    assert pickle.loads(pickle.dumps(d)) == d
    assert hash(d) == hash(replace(d))
    assert dialect(name) is d
    document = row_document(name)
    about = {"models", "evidence", "apis"}
    assert {k: v for k, v in document_of_row(d).items() if k != "apis"} == {
        k: v for k, v in document.items() if k not in about
    }
    assert build(document_of_row(d)) == d
    assert json.loads(json.dumps(document)) == document
    assert document["objects"]["extras"] == d.objects.extras
    assert set(document) == {f.name for f in fields(Dialect)} | about
    assert tuple(document["apis"]) == tuple([api.name for api in apis_of(d)])


def test_every_field_of_the_record_is_a_literal_flag_set_or_number():
    for factory in SECTIONS.values():
        for f in fields(factory):
            assert f.default is not MISSING or f.default_factory is not MISSING


def fields_read(tree: ast.AST) -> set[tuple[str, str]]:
    """Which `section.field` code reads: `row.objects.empty`, or `o.empty` where `o` is `row.objects` in that scope.

    A name is a section when it is assigned from one, or is a parameter annotated with its record.
    """
    records = {factory.__name__: name for name, factory in SECTIONS.items()}
    found = set()
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.Module | ast.FunctionDef | ast.Lambda):
            continue
        nodes = list(ast.walk(scope))
        known: dict[str, str] = {}
        for n in nodes:
            if isinstance(n, ast.arg) and n.annotation is not None:
                record = ast.unparse(n.annotation).rpartition(".")[2]
                known |= {n.arg: records[record]} if record in records else {}
            for target, value in assigned(n):
                if (
                    isinstance(target, ast.Name)
                    and isinstance(value, ast.Attribute)
                    and value.attr in SECTIONS
                ):
                    known[target.id] = value.attr
        for n in nodes:
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Attribute):
                found.add((n.value.attr, n.attr))
            elif isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
                found.add((known.get(n.value.id, ""), n.attr))
    return found


def assigned(n: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Pair each target with its value, `a, b = x, y` included."""
    if isinstance(n, ast.NamedExpr):
        return [(n.target, n.value)]
    pairs = [(target, n.value) for target in n.targets] if isinstance(n, ast.Assign) else []
    for target, value in list(pairs):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs += zip(target.elts, value.elts, strict=False)
    return pairs


def test_what_counts_as_reading_a_field():
    code = """
def f(row, limits: dialect.Limits):
    o, n = row.objects, 3
    return o.empty, n.extras, row.refs.defs, limits.bytes, (a := row.arrays).unique, a.contains
"""
    found = {pair for pair in fields_read(ast.parse(code)) if pair[0] in SECTIONS}
    assert found == {
        ("objects", "empty"),
        ("refs", "defs"),
        ("limits", "bytes"),
        ("arrays", "contains"),
    }


def test_every_field_is_read_by_the_compiler():
    package = Path(model.__file__).parent
    sources = [
        p
        for p in sorted(package.rglob("*.py"))
        if not p.name.startswith("dialect") and "cli" not in p.relative_to(package).parts
    ]
    found = set().union(*[fields_read(ast.parse(p.read_text("utf-8"))) for p in sources])
    every = {(name, f.name) for name, factory in SECTIONS.items() for f in fields(factory)}
    assert every - found == set()


def test_an_unknown_id_suggests_close_ones():
    with pytest.raises(DialectError, match="did you mean 'openai-strict'") as caught:
        resolve("openai-stric")
    assert caught.value.code == "WS701"
    with pytest.raises(DialectError, match=r"known are .*anthropic-non-strict"):
        resolve("zzzz")
    d = Dialect(id="x")
    assert resolve(d) is d


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "row.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_user_row_extends_a_built_in_one(tmp_path):
    path = write(
        tmp_path,
        'id = "mine"\nextends = "openai-strict"\n[strings]\nformats = ["uuid"]\nforbid = []\n',
    )
    d = load_dialect(path)
    assert d.strings.formats == {"uuid"}
    assert d.strings.other_formats == "no"
    assert d.objects.all_required
    write(tmp_path, 'id = "changed"\n')
    assert load_dialect(path) == Dialect(id="changed")
    write(tmp_path, 'id = "mine"\nextends = "openai-strict"\nunset = ["apis.chat"]\n')
    assert [api.name for api in load_dialect(path).apis or ()] == ["responses"]


@pytest.mark.parametrize(
    ("text", "code", "pointer", "message"),
    [
        ("id =", "WS702", "", "not TOML"),
        ("", "WS702", "/id", "field 'id'"),
        ('id = "x"\nextends = "y"', "WS702", "/extends", "no built-in row is called 'y'"),
        ('id = "x"\nextends = 3', "WS702", "/extends", "no built-in row"),
        ('id = "x"\n[objects]\nemty = false', "WS702", "/objects/emty", "field 'objects.emty'"),
        ('id = "x"\n[objects]\nextras = "maybe"', "WS702", "/objects/extras", "should be 'schema'"),
        ('id = "x"\n[objects]\nempty = 1', "WS702", "/objects/empty", "valid boolean"),
        ('id = "x"\nobjects = 1', "WS702", "/objects", "field 'objects'"),
        ('id = "x"\nborn = 1979-05-27', "WS702", "/born", "field 'born'"),
        ('id = "x"\nunset = ["limits.sky"]', "WS702", "/unset", "no field is called 'limits.sky'"),
        ('id = "x"\n[models]\nallows = []', "WS702", "/models/allows", "'models.allows'"),
        ('id = "x"\n[limits]\nbytes = nan', "WS702", "/limits/bytes", "valid integer"),
        (
            'id = "x"\n[evidence]\n"a" = { source = 1 }',
            "WS702",
            "/evidence/a/source",
            "valid string",
        ),
        (
            'id = "x"\n[nullable]\naccepts = []',
            "WS703",
            "/nullable/spelling",
            "contradicts itself",
        ),
    ],
)
def test_a_bad_row_is_a_typed_error(tmp_path, text, code, pointer, message):
    path = write(tmp_path, text)
    with pytest.raises(DialectError, match=message) as caught:
        load_dialect(path)
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("row", "entries", "message"),
    [
        ({"limits": {"bytes": 5}}, {}, "'limits.bytes' has no evidence"),
        ({"models": {"allow": ["a"]}}, {}, "'models' has no evidence"),
        ({"models": {"providers": ["a"]}}, {"draft": 1}, "'draft' is evidence for nothing"),
        ({"refs": {"defs": False}}, {"refs.defs": 1}, "contradicts itself: refs.recursion"),
    ],
)
def test_a_bad_built_in_row_is_a_typed_error(monkeypatch, row, entries, message):
    raw = {"id": "x", **row}
    given = {field: Evidence(source="s", date="d", confidence="sdk") for field in entries}
    monkeypatch.setattr(model, "builtin", lambda _: raw)
    monkeypatch.setattr(model, "own_evidence", lambda _: given)
    monkeypatch.setattr(model, "own_apis", lambda _: {})
    monkeypatch.setattr(model, "dialect", lambda _: build(raw))
    with pytest.raises(DialectError, match=message):
        model.validate_builtin("x")


def test_a_row_that_is_not_there_or_not_text(tmp_path):
    with pytest.raises(DialectError, match="cannot be read"):
        load_dialect(str(tmp_path / "none.toml"))
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(DialectError, match="not TOML"):
        load_dialect(tmp_path / "x.toml")


@pytest.mark.parametrize(
    ("field", "row"),
    [
        ("objects.absent_means", {"strict": True, "objects": Objects(extras="unsaid")}),
        ("objects.key_pattern", {"objects": Objects(key_pattern="(")}),
        (
            "objects.all_required",
            {"objects": Objects(all_required=True), "unions": Unions(any_of="no")},
        ),
        ("nullable.spelling", {"nullable": Nullable(accepts=frozenset())}),
        (
            "nullable.spelling",
            {"nullable": Nullable(spelling="keyword", accepts=frozenset(["keyword"]))},
        ),
        (
            "anything.encoding",
            {"anything": Anything(encoding="flat"), "unions": Unions(any_of="no")},
        ),
        (
            "anything.encoding",
            {"anything": Anything(encoding="recursive"), "refs": Refs(recursion="no")},
        ),
        (
            "anything.encoding",
            {"anything": Anything(encoding="flat"), "objects": Objects(extras="false")},
        ),
        ("anything.encoding", {"keywords": Keywords(typed_nodes=True)}),
        (
            "tuples.encoding",
            {"keywords": Keywords(boolean_schemas=False), "arrays": Arrays(max_items="no")},
        ),
        (
            "objects.optional_null",
            {"objects": Objects(optional_null=True), "unions": Unions(any_of="no")},
        ),
        (
            "nullable.spelling",
            {"nullable": Nullable(spelling="absent", accepts=frozenset(["absent"]))},
        ),
        ("refs.recursion", {"refs": Refs(defs=False)}),
        ("refs.sibling_fix", {"refs": Refs(siblings="none"), "unions": Unions(any_of="ignored")}),
        (
            "keywords.reject",
            {"keywords": Keywords(accept=frozenset(["not"]), reject=frozenset(["not"]))},
        ),
        ("keywords.annotations", {"keywords": Keywords(accept=frozenset())}),
        ("keywords.unlisted", {"keywords": Keywords(unlisted="ignored")}),
        ("keywords.accept", {"keywords": Keywords(accept=frozenset(), annotations=frozenset())}),
        ("limits.large_enum_values", {"limits": Limits(large_enum_values=3)}),
        ("carriers", {"carriers": ()}),
    ],
)
def test_problems_names_the_field(field, row):
    found = model.problems(Dialect(id="x", **row))
    assert field in [p.partition(":")[0] for p in found]


def test_consistent_records_have_no_problems():
    assert (
        model.problems(
            Dialect(
                id="x",
                enums=Enums(const=False),
                arrays=Arrays(unique="no"),
                strings=Strings(length="no"),
            )
        )
        == []
    )
    assert build({"id": "x", "carriers": ["tool"]}).carriers == ("tool",)


def test_reading_rows_imports_nothing_heavy():
    code = (
        "import sys; from wireshape.dialect import dialect; dialect('xai-strict');"
        "sys.exit(bool({'pydantic', 'jsonschema', 'jsonschema_rs', 'click', 'hypothesis'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
