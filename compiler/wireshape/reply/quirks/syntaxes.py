"""The ways in which models write tool calls into text: what begins each, and a small function that reads it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from wireshape.ir import kind_of
from wireshape.reply.calls import Found, Readings, Told, cut_off, from_json, read_json
from wireshape.reply.gaps import Unreadable
from wireshape.reply.quirks.tokens import LEAD, elements, quoted

Reader: TypeAlias = Callable[[str, "re.Match[str]", int, Readings], "tuple[list[Found], int]"]
"""Reads what follows a mark in `text`, no further than an end; returns the calls and where to go on."""


def bare_name(name: str) -> str:
    """A name without the namespace, index and control tokens that models put around it.

    >>> bare_name("functions.edit:48"), bare_name("read<|channel|>commentary"), bare_name("f")
    ('edit', 'read', 'f')
    """
    name = name.strip().partition("<|")[0].strip()
    for prefix in ("functions.", "default_api.", "function."):
        name = name.removeprefix(prefix)
    return _INDEX.sub("", name)


_INDEX = re.compile(r":\d+\Z")


def _listed(
    text: str, mark: re.Match[str], stop: int, readings: Readings
) -> tuple[list[Found], int]:
    """Call objects, one or several, in a list or one after another: `<tool_call>{"name": ..., "arguments": ...}`."""
    at = mark.end()
    if mark.group().endswith("["):
        at -= 1
    calls: list[Found] = []
    for reading, value in read_json(text, at, stop, readings):
        named = from_json(value) or _keyed(value)
        if named is None:
            raise Unreadable("WS638", "a tool call without a name or arguments", reading.start)
        calls += [
            Found(bare_name(n), reading.start, reading.end, a, edits=reading.edits)
            for n, a in named
        ]
        at = reading.end
    if not calls and not text[at:stop].strip():
        raise cut_off(at)
    return calls, at


def _keyed(value: Any) -> list[tuple[str, Any]] | None:
    """`[{"name": {...}}]`: the name is the key."""
    items: list[Any] = value if kind_of(value) is list else [value]
    out: list[tuple[str, Any]] = []
    for item in items:
        if kind_of(item) is not dict or len(item) != 1:
            return None
        [(name, arguments)] = item.items()
        if kind_of(arguments) is not dict:
            return None
        out.append((name, arguments))
    return out


_PARAMETER = re.compile(
    r"""\s*<(?:｜DSML｜)?(parameter|param)(?:=|\s+name=)["']?([^"'>]{1,200}?)["']?((?:\s+[\w-]+="[^"]{0,80}")*)\s*>"""
)
_SAYS = re.compile(r'\s(string|type)="([^"]*)"')
_PARAMETER_END = re.compile(
    r"</(?:｜DSML｜)?(?:parameter|param)>\s*(?=</?(?:｜DSML｜)?(?:parameter|param|function|invoke|tool_call)\b|\Z)"
)
_CALL_END = re.compile(r"\s*</(?:｜DSML｜)?(?:function|invoke|tool_call)>")
_TAG_INSIDE = {
    word: re.compile(rf"</?(?:｜DSML｜)?{word}(?:=|\s+name\s*=|name=|>|<|\Z)")
    for word in ("parameter", "param")
}
"""What a parameter that lost its end has swallowed of the next."""


def _told(attributes: str) -> Told | None:
    """What a tag says of its parameter: `string="true"`, or a `type`."""
    says = _SAYS.search(attributes)
    if says is None:
        return None
    return "text" if says.groups() in (("string", "true"), ("type", "string")) else "value"


def _marked_up(
    text: str, mark: re.Match[str], stop: int, readings: Readings
) -> tuple[list[Found], int]:
    """`<function=NAME>` or `<invoke name="NAME">` with JSON, or with a tag for each parameter."""
    name, at = bare_name(mark.group(1)), mark.end()
    found = [(r, v) for r, v in read_json(text, at, stop, readings)]
    if found:
        reading, value = found[0]
        return [Found(name, mark.start(), reading.end, value, edits=reading.edits)], reading.end
    texts: dict[str, str] = {}
    told: dict[str, Told] = {}
    while (begin := _PARAMETER.match(text, at, stop)) is not None:
        end = _PARAMETER_END.search(text, begin.end(), stop)
        if end is None:
            raise cut_off(at)
        key, body = begin.group(2), text[begin.end() : end.start()]
        if key in texts:
            raise Unreadable("WS631", f"the parameter {key[:40]!r} is given twice", at)
        texts[key] = _body(body, _TAG_INSIDE[begin.group(1)], at)
        if (kind := _told(begin.group(3))) is not None:
            told[key] = kind
        at = end.end()
    end = _CALL_END.match(text, at, stop)
    if end is None:
        raise cut_off(at)
    return [Found(name, mark.start(), end.end(), texts=texts, told=told)], end.end()


def _whole(text: str, inside: re.Pattern[str], at: int) -> str:
    """The text of a parameter, unless it holds marks of the call, which tells that an end is missing."""
    if inside.search(text):
        raise Unreadable("WS630", "a parameter that holds the marks of another", at)
    return text


_ARGUMENT = re.compile(r'\s*<\|open\|>argument key="([^"=<>]{1,200})"([^<>]{0,80})<\|sep\|>')
_TOKEN_INSIDE = re.compile(r"<\|(?:open|close|sep)\|>")
_ARGUMENT_END = "<|close|>argument<|sep|>"
_OPENED_END = "<|close|>call<|sep|>"


def _opened(
    text: str, mark: re.Match[str], stop: int, _readings: Readings
) -> tuple[list[Found], int]:
    """`<|open|>call tool="NAME"<|sep|>` with an `argument` for each parameter."""
    texts: dict[str, str] = {}
    told: dict[str, Told] = {}
    at = mark.end()
    while (begin := _ARGUMENT.match(text, at, stop)) is not None:
        end = text.find(_ARGUMENT_END, begin.end(), stop)
        if end < 0 or begin.group(1) in texts:
            raise cut_off(at)
        texts[begin.group(1)] = _whole(text[begin.end() : end], _TOKEN_INSIDE, at)
        if (kind := _told(begin.group(2))) is not None:
            told[begin.group(1)] = kind
        at = end + len(_ARGUMENT_END)
    if not text.startswith(_OPENED_END, at):
        raise cut_off(at)
    return [Found(mark.group(1), mark.start(), at, texts=texts, told=told)], at + len(_OPENED_END)


def _body(text: str, inside: re.Pattern[str], at: int) -> str:
    """The text of a parameter; one section of character data may hold any marks."""
    if "CDATA" in text[:9]:
        if not text.startswith("<![CDATA[") or text.find("]]>") != len(text) - 3:
            raise Unreadable("WS630", "a section of character data without its marks", at)
        return text[9:-3]
    text = _whole(text, inside, at)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "\n" else text


_KEY_VALUE = re.compile(r"\s*<arg_key>([^<>]{1,200})</arg_key>\s*<arg_value>")
_ARG_INSIDE = re.compile(r"</?arg_(?:key|value)>")


def _key_values(
    text: str, mark: re.Match[str], stop: int, _readings: Readings
) -> tuple[list[Found], int]:
    """`<tool_call>NAME<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>`."""
    texts: dict[str, str] = {}
    at = mark.end()
    while (begin := _KEY_VALUE.match(text, at, stop)) is not None:
        end = text.find("</arg_value>", begin.end(), stop)
        if end < 0 or begin.group(1) in texts:
            raise cut_off(at)
        texts[begin.group(1)] = _whole(text[begin.end() : end], _ARG_INSIDE, at)
        at = end + len("</arg_value>")
    end = text.find("</tool_call>", at, stop)
    if end < 0 or text[at:end].strip():
        raise cut_off(at)
    return [Found(bare_name(mark.group(1)), mark.start(), end, texts=texts)], end + len(
        "</tool_call>"
    )


def _named(
    text: str, mark: re.Match[str], stop: int, readings: Readings
) -> tuple[list[Found], int]:
    """A name inside the mark, then its arguments as JSON."""
    for reading, value in read_json(text, mark.end(), stop, readings):
        return [
            Found(bare_name(mark.group(1)), mark.start(), reading.end, value, edits=reading.edits)
        ], reading.end
    if not text[mark.end() : stop].strip():
        raise cut_off(mark.end())
    raise Unreadable("WS638", "a tool call without arguments", mark.end())


_NAME = r"([\w.:/-]{1,128})"
SYNTAXES: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    [
        (re.compile(pattern), reader)
        for pattern, reader in (
            (r"<tool_call>\s*" + _NAME + r"\s*(?=<arg_key>|</tool_call>)", _key_values),
            (
                r"<(?:｜DSML｜)?(?:function=|(?:function|invoke)\s+name=)[\"']?"
                + _NAME
                + r"[\"']?\s*>",
                _marked_up,
            ),
            (
                r"\[TOOL_CALLS\]\s*" + _NAME + r"(?:\[CALL_ID\][\w-]{1,64})?(?:\[ARGS\])?\s*(?=\{)",
                _named,
            ),
            (r"<\|tool_call_begin\|>\s*" + _NAME + r"\s*<\|tool_call_argument_begin\|>", _named),
            (
                r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?"
                + _NAME
                + r"(?:<｜tool▁sep｜>|\s*```json\s*)",
                _named,
            ),
            (
                r"(?<![\w.])to=(functions\.[\w.-]{1,128})[^{}\[\]]{0,80}?(?=\{)",
                _named,
            ),
            (r'<\|open\|>call tool="([\w.:-]{1,128})"[^<>]{0,80}<\|sep\|>', _opened),
            (r"<\|tool_call>call:" + _NAME + r"(?=\{)", quoted),
            (re.escape(LEAD) + r"<invoke name=\"" + _NAME + r"\">", elements),
            (r"(?:\A|(?<=\n))Action:\s*```json\s*(?=\[)", _listed),
            (r"<\|message_sep\|>\s*function call<\|role_sep\|>\s*(?=\{)", _listed),
            (
                r"<\|START_ACTION\|>\s*(?=[\[{])|<\|tools_prefix\|>\s*(?=[\[{])|\bfunctools\[",
                _listed,
            ),
            (
                r"\[TOOL_CALLS\]\s*(?=[\[{])|<TOOLCALL>\s*(?=[\[{])|<(?:\|)?(?:[\w-]+:)?(?:tool_calls?|function_call)(?:\|)?>\s*(?=[\[{]|\Z)",
                _listed,
            ),
        )
    ]
)
"""Marks and readers, the more specific first."""
