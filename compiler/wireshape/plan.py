"""A plan decides for a whole request what one schema cannot know: who is strict, what each is called, how it is delivered.

Every item is compiled for the row, the row's limits are shared out (`sharing`), and what is not granted is compiled for
the relaxed row. It sends nothing: `Plan.request` gives the fragment that a client sends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wireshape import ir
from wireshape.api import Delivery
from wireshape.codes import CODES
from wireshape.compiled import Compiled
from wireshape.dialect import Dialect, resolve
from wireshape.dialect_apis import readers_of
from wireshape.errors import (
    BudgetError,
    SchemaError,
    WireshapeError,
    expect,
    expect_text,
    wrong_argument,
)
from wireshape.history import Said, Speaker, replayed
from wireshape.models import delivery_for
from wireshape.names import legal_names
from wireshape.options import Options
from wireshape.plan_apis import Load, api_of, need_api, place_of
from wireshape.plan_feed import PlanFeed
from wireshape.plan_items import Carrier, Output, Tool, priority_of, tools_of
from wireshape.plan_memory import Known
from wireshape.prompts import by_prompt
from wireshape.read import Schema, read
from wireshape.relate import OBJECT, Relations
from wireshape.reply import Outcome
from wireshape.report import Report
from wireshape.request import Body, Part, put_all, put_output, put_tool
from wireshape.routing import Addressee, Desk, read_any, route_reply
from wireshape.sharing import Item, made_for, share

_DEFAULTS = Options()
_PROMPT = "tools-lenient"
_NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One item of a plan: `name` is what it is called on the wire, `source` what the caller calls it.

    `reasons` tells what was decided otherwise than asked, and why.

    >>> plan("xai-strict", [Tool("add", {"type": "object"}, strict="never")]).tools[0].reasons
    ('not strict, as asked',)
    """

    name: str
    source: str
    description: str | None
    compiled: Compiled
    strict: bool
    carrier: Carrier
    has_schema: bool = (
        True  # else the tool takes no arguments, and the dialect has no schema for that
    )
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A tool that is left out, and the error that its schema raised."""

    index: int
    name: str
    error: WireshapeError


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one request holds. `failed` names the tools that are left out.

    >>> import wireshape as ws
    >>> add = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
    >>> p = ws.plan("openai-strict", tools=[ws.Tool("add numbers", add)])
    >>> p.tools[0].name, p.tools[0].strict
    ('add_numbers', True)
    >>> p.request()["tools"][0]["function"]["name"]
    'add_numbers'
    """

    dialect: Dialect
    tools: tuple[Planned, ...]
    output: Planned | None
    failed: tuple[Failed, ...] = ()
    model: str | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """What was decided otherwise than asked, led by the name of the item."""
        told = [f"{item.source}: {reason}" for item in self.items for reason in item.reasons]
        return (*told, *[f"{f.name}: left out; {f.error}" for f in self.failed])

    @property
    def report(self) -> Report:
        """The notes of every item, with pointers that begin at the item (`/tools/0`, `/output`)."""
        places = [*[f"/tools/{i}" for i in range(len(self.tools))], "/output"]
        return Report(
            tuple(
                [
                    note._replace(pointer=place + note.pointer)
                    for place, item in zip(places, self.items, strict=False)
                    for note in item.compiled.report.notes
                ]
            )
        )

    @property
    def prompt(self) -> str | None:
        """What to tell the model when the output rides in the prompt, `None` when it does not."""
        if self.output is None or self.output.carrier != "prompt":
            return None
        return by_prompt(self.output.compiled.schema, self.dialect.delivery.prompt)

    def request(self, api: str | None = None) -> Body:
        """Return the fragment of a request body for an API of the row, by default the first that carries every item.

        Raises DialectError when the row has no such API, or the API cannot carry an item.
        """
        body: Body = {}
        asked = api_of(self.dialect, api, self._loads)
        tools = [item for item in self.items if item.carrier == "tool"]
        for item in tools:
            put_tool(body, place_of(_load(item), asked, self.dialect), _part(item))
        if any([item.strict for item in tools]):
            put_all(body, asked.beside_tools)
        if self.output is not None and self.output.carrier in ("output", "grammar"):
            put_output(body, place_of(_load(self.output), asked, self.dialect), _part(self.output))
        if self.output is not None and self.output.carrier == "prompt" and not tools:
            put_all(body, asked.beside_prompt)
        forced = delivery_for(self.dialect, self.model).forced_tool
        if self.output is not None and tools == [self.output] and forced:
            put_all(body, asked.forced_tool, _part(self.output))
        return body

    def route(self, response: Any, api: str | None = None) -> Outcome:
        """Read a response body of an API of the row: its tool calls, or its text as the output.

        Text or bytes are what the model wrote; parse the raw body of an HTTP response first (`json.loads`).

        Names and arguments are those of the caller again, every one past the gate of its tool. A call that cannot be made
        has `problems`, and `retry_text` tells the model. Never raises for what a response holds; raises DialectError when
        the row has no such API.

        >>> import wireshape as ws
        >>> add = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
        >>> p = ws.plan("anthropic-strict", [ws.Tool("add it", add)])
        >>> p.route({"content": [{"type": "tool_use", "id": "t1", "name": "add_it", "input": {"a": 1}}]}).calls
        (Call(name='add it', arguments={'a': 1}, id='t1', problems=()),)
        """
        apis = readers_of(self.dialect) if api is None else [api_of(self.dialect, api)]
        return route_reply(*read_any(response, apis), self.desk)

    def stream(self, api: str | None = None) -> PlanFeed:
        """Return a feed for the events of a streamed response: calls and output on the way, then the outcome of `route`.

        Without the name of an API, the first that finds anything in an event reads it and those after it. Raises
        DialectError when the row has no such API.

        >>> import wireshape as ws
        >>> feed = ws.plan("openai-strict", output={"type": "array", "items": {"type": "integer"}}).stream()
        >>> for text in ('{"value": [1', ", 2", "]}"):
        ...     if feed.push({"choices": [{"index": 0, "delta": {"content": text}}]}):
        ...         print(feed.partial)
        []
        [1]
        [1, 2]
        >>> feed.finish("stop").value
        [1, 2]
        """
        apis = readers_of(self.dialect) if api is None else [api_of(self.dialect, api)]
        return PlanFeed(apis, self.desk)

    @property
    def desk(self) -> Desk:
        """The items, as a reply can name them."""
        form = self.output
        return Desk(
            tools=tuple([Addressee(t.name, t.source, t.compiled) for t in self.tools]),
            output=None if form is None else Addressee(form.name, form.source, form.compiled),
            as_tool=form is not None and form.carrier == "tool",
        )

    def history(self, said: Sequence[Said], api: str | None = None) -> list[Body]:
        """Return the messages of an API of the row that say again what was said: decoded calls and results, on the wire again.

        `said` holds `Turn`s, and in between any messages that are the API's own, which stay as they are. Names and arguments
        go back to their wire form, arguments as text or as an object, and ids get the form that the API takes, the same in a call
        and its result. What the provider wants back word for word, such as signed reasoning, comes from the `state` of the calls.

        Raises EncodeError for arguments without a wire spelling or more results than calls, DialectError when the row has no
        such API or it takes no calls back.

        >>> import wireshape as ws
        >>> p = ws.plan("mistral-strict", [ws.Tool("add it", {"type": "object", "properties": {"a": {"type": "number"}}})])
        >>> call = ws.Call("add it", {"a": 1}, "call_0123456789abcdef")
        >>> asked, answered = p.history([ws.Turn([call], results=[3])])
        >>> asked["tool_calls"][0]["function"]
        {'name': 'add_it', 'arguments': '{"a":1}'}
        >>> answered
        {'role': 'tool', 'tool_call_id': 'taff2e571', 'name': 'add_it', 'content': '3'}
        """
        known = {item.source: Speaker(item.name, item.compiled) for item in reversed(self.items)}
        return replayed(
            said, api_of(self.dialect, api, self._loads), known, self.dialect.names.tool
        )

    @property
    def items(self) -> list[Planned]:
        """The tools, then the output if there is one."""
        return [*self.tools, *([] if self.output is None else [self.output])]

    @property
    def _loads(self) -> list[Load]:
        return [_load(item) for item in self.items]


def _part(item: Planned) -> Part:
    schema = item.compiled.schema if item.has_schema else None
    return Part(item.name, item.description, schema, item.compiled.text)


def _load(item: Planned) -> Load:
    return Load(item.carrier, item.compiled.dialect)


def plan(
    dialect: str | Dialect,
    tools: Sequence[Tool] = (),
    output: Any = None,
    *,
    model: str | None = None,
    on_error: Literal["report", "raise"] = "report",
    options: Options = _DEFAULTS,
) -> Plan:
    """Plan one request: which tools are strict, what they are called, and how the output is delivered.

    `output` is whatever `compile` takes, or an `Output` to say more. Required items come first, then the largest sum of
    priorities, then the most strict items, ties by declaration. `model` is the name of the model where that decides how things are
    delivered, as the row lists it. A tool whose schema cannot be used is left out and named,
    or raises with `on_error="raise"`.

    Raises BudgetError when what is required does not fit, DialectError when the dialect does not exist or none of its APIs
    carries all of it, SchemaError when the output is no schema. A row that states no API at all, such as an engine, is planned for
    all the same.

    >>> p = plan("anthropic-strict", [Tool("now")], {"type": "object", "properties": {"n": {"type": "integer"}}})
    >>> [(t.name, t.strict) for t in p.tools], p.output.carrier
    ([('now', True)], 'output')
    """
    row, given = resolve(dialect), tools_of(tools)
    expect("options", options, Options, "an `Options`")
    expect_text("model", model)
    if on_error not in ("report", "raise"):
        raise wrong_argument("on_error", on_error, "'report' or 'raise'")
    asked, failed = _asked(given, row, options)
    if failed and on_error == "raise":
        raise failed[0].error
    form: Item | None = None
    if output is not None:
        wanted = output if isinstance(output, Output) else Output(output)
        form = _form(wanted, row, options, delivery_for(row, model), beside=bool(asked))
    items = asked if form is None or form.carrier == "prompt" else [*asked, form]
    share(items, row, options)
    in_tools = [item for item in items if item.carrier == "tool"]
    names = legal_names([item.name for item in in_tools], row.names.tool)
    planned = [
        _planned(item, name, row, options) for item, name in zip(in_tools, names, strict=True)
    ]
    last: Planned | None = None
    if form is not None and form.carrier == "tool":
        last = planned.pop()
    elif form is not None:
        last = _planned(form, legal_names([form.name], row.names.output)[0], row, options)
    whole = Plan(dialect=row, tools=tuple(planned), output=last, failed=tuple(failed), model=model)
    need_api(row, [_load(item) for item in whole.items])
    return whole


def _form(
    wanted: Output, row: Dialect, options: Options, delivery: Delivery, *, beside: bool
) -> Item:
    """The output as an item; where the dialect has no relaxed mode for it, it has to be strict."""
    way = wanted.carrier or _carrier(row, delivery, beside=beside)
    item = _item(wanted, wanted.schema, way, options)
    item.required = item.required or (way == "output" and row.delivery.always_strict)
    if way != "output" and wanted.carrier is None:
        no_place = "output" not in row.carriers
        what = "no form of the output" if no_place else "no form of the output beside tools"
        rides = {"tool": "as a tool", "grammar": "as a grammar"}.get(way, "in the prompt")
        item.reasons.append(f"sent {rides}: {row.id} takes {what}")
    return item


def _asked(
    tools: Sequence[Tool], row: Dialect, options: Options
) -> tuple[list[Item], list[Failed]]:
    """The tools that can be used, and those that cannot."""
    asked: list[Item] = []
    failed: list[Failed] = []
    for index, tool in enumerate(tools):
        try:
            item = _item(tool, tool.parameters, "tool", options)
        except WireshapeError as error:
            failed.append(Failed(index=index, name=tool.name, error=error))
            continue
        if row.delivery.tools is not None and len(asked) >= row.delivery.tools:
            message = CODES["WS303"].template.format(dialect=row.id, limit=row.delivery.tools)
            failed.append(
                Failed(index=index, name=tool.name, error=BudgetError(message, code="WS303"))
            )
            continue
        asked.append(item)
    return asked, failed


def _item(asked: Tool | Output, source: Any, carrier: Carrier, options: Options) -> Item:
    no_arguments = source is None
    source = _NO_ARGUMENTS if no_arguments else source

    def known() -> Known:
        schema = read(source, options)
        if isinstance(asked, Tool):
            _need_object(schema, source)
        return Known(schema)

    return Item(
        name=asked.name,
        description=asked.description,
        known=asked.memory.recall(source, options, known),
        priority=priority_of(asked.strict),
        required=asked.strict == "require",
        carrier=carrier,
        no_arguments=no_arguments,
    )


def _need_object(schema: Schema, source: Any) -> None:
    """The arguments of a call are an object."""
    relations, root = Relations(schema.graph.defs), schema.graph.root
    head = relations.head(root)
    if type(head) is ir.Never:
        remedy = "check for contradicting keywords"
        message = CODES["WS117"].template.format(reason=head.reason, remedy=remedy)
        raise SchemaError(message, code="WS117", pointer=ir.pointer(head.at))
    if isinstance(source, bool) or not relations.types(root) & OBJECT:
        raise SchemaError(CODES["WS118"].template, code="WS118")


def _carrier(row: Dialect, delivery: Delivery, *, beside: bool) -> Carrier:
    """How the output is delivered: in its own place, else as a tool, else in the prompt; `beside` other tools or not."""
    if "output" in row.carriers and (delivery.output_beside_tools or not beside):
        return "output"
    if "tool" in row.carriers and (delivery.forced_tool or beside):
        return "tool"
    return "grammar" if "grammar" in row.carriers else "prompt"


def _planned(item: Item, name: str, row: Dialect, options: Options) -> Planned:
    compiled, home = item.compiled, row
    strict = compiled is not None
    if compiled is None:
        home = _relaxed(row, item.carrier)
        compiled = made_for(item, home, options).compiled
    return Planned(
        name=name,
        source=item.name,
        description=item.description,
        compiled=compiled,
        strict=strict,
        carrier=item.carrier,
        has_schema=home.objects.empty or not item.no_arguments,
        reasons=tuple(item.reasons),
    )


def _relaxed(row: Dialect, carrier: Carrier) -> Dialect:
    """The row for an item that is not strict: the relaxed one, unless that is for other carriers."""
    if carrier == "prompt":
        return resolve(_PROMPT)
    relaxed = resolve(row.delivery.relaxed or row)
    return relaxed if carrier in relaxed.carriers else row
