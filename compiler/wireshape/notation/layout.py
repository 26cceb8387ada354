"""A tree becomes text that is laid out for people; it decides nothing about meaning.

Laid out, a type stays on its line while it fits; what does not is broken, one part a line. The layout depends on the tree
only, so that formatting twice is formatting once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from wireshape.notation import spelling, tree

WIDTH: Final = 96


@dataclass(frozen=True, slots=True)
class Remarks:
    """Comments by the offset of what they stand before or behind."""

    before: Mapping[int, Sequence[str]]
    behind: Mapping[int, Sequence[str]]


_SILENT: Final = Remarks({}, {})


def laid_out(file: tree.File, remarks: Remarks = _SILENT) -> str:
    r"""Return the text for people: indented by two, lines within `WIDTH` where that is possible.

    >>> laid_out(tree.File((tree.Definition(None, tree.Array(tree.Word("string"))),)))
    'string[]\n'
    """
    blocks: list[str] = []
    for definition in file.definitions:
        head = [*remarks.before.get(definition.start, ()), *spelling.docs_of(definition.docs)]
        text = _type(remarks, definition.type, 0, len(spelling.opening(definition)))
        tail = "".join([f"  {c}" for c in remarks.behind.get(definition.start, ())])
        blocks.append("\n".join([*head, spelling.after(spelling.opening(definition), text) + tail]))
    last = list(remarks.before.get(-1, ()))
    return "\n\n".join([*blocks, *(["\n".join(last)] if last else [])]) + "\n"


def _flat(r: Remarks, t: tree.Type, room: int) -> str | None:
    """The type on one line of at most `room` characters, or `None`."""
    text: str | None
    if type(t) is tree.Word:
        text = spelling.name(t.name, quoted=t.quoted)
    elif type(t) is tree.Value:
        text = spelling.value(t.value)
    elif type(t) is tree.Listed:
        text = f"enum({', '.join([spelling.value(v) for v in t.values])})"
    elif type(t) is tree.Array:
        inner = _flat(r, t.item, room - 2)
        text = None if inner is None else inner + "[]"
    elif type(t) is tree.Group:
        inner = _flat(r, t.type, room - 2)
        text = None if inner is None else f"({inner})"
    elif type(t) is tree.Body:
        text = _flat_body(r, t, room)
    elif type(t) is tree.Tuple:
        inner = _joined(r, [i.type for i in t.items], room)
        text = None if inner is None else _flat_items(r, t, room)
    elif type(t) is tree.Alt:
        documented = any([arm.docs is not None for arm in t.arms])
        text = None if documented else _joined(r, [a.type for a in t.arms], room, " | ")
    elif type(t) is tree.Both:
        text = _joined(r, t.parts, room, " & ")
    elif type(t) is tree.Speaking:
        inner = _flat_arguments(r, t.arguments, room)
        text = None if inner is None else f"any({inner})"
    elif type(t) is tree.Noted:
        text = _flat_noted(r, t, room)
    else:
        assert_never(t)
    return text if text is not None and len(text) <= room else None


def _joined(r: Remarks, types: Iterable[tree.Type], room: int, sep: str = ", ") -> str | None:
    parts: list[str] = []
    for t in types:
        text = _flat(r, t, room)
        if text is None:
            return None
        room -= len(text)
        parts.append(text)
    return sep.join(parts)


def _flat_items(r: Remarks, t: tree.Tuple, room: int) -> str:
    return f"[{', '.join([spelling.item(i, _flat(r, i.type, room) or '') for i in t.items])}]"


def _flat_arguments(r: Remarks, arguments: Iterable[tree.Argument], room: int) -> str | None:
    parts: list[str] = []
    for a in arguments:
        text = _flat(r, a.type, room)
        if text is None:
            return None
        parts.append(spelling.label(a) + text)
        room -= len(parts[-1])
    return ", ".join(parts)


def _flat_noted(r: Remarks, t: tree.Noted, room: int) -> str | None:
    text = _flat(r, t.type, room)
    if text is None:
        return None
    parts = [text]
    for m in t.marks:
        mark = _flat_mark(r, m, room)
        if mark is None:
            return None
        parts.append(mark)
    return " ".join(parts)


def _flat_mark(r: Remarks, m: tree.Mark, room: int) -> str | None:
    if not m.called:
        return f"@{m.name}"
    if not m.types:
        return f"@{m.name}({', '.join(spelling.mark_values(m))})"
    inner = _flat_arguments(r, m.types, room)
    return None if inner is None else f"@{m.name}({inner})"


def _flat_body(r: Remarks, t: tree.Body, room: int) -> str | None:
    parts: list[str] = []
    if t.end in r.before and t.end >= 0:
        return None
    for m in t.members:
        if m.start >= 0 and (m.start in r.before or m.start in r.behind):
            return None
        text = _flat_member(r, m, room)
        if text is None:
            return None
        room -= len(text)
        parts.append(text)
    body = f"{{ {', '.join(parts)} }}" if parts else "{}"
    return f"closed {body}" if t.closed else body


def _flat_member(r: Remarks, m: tree.Member | tree.Rule | tree.Open, room: int) -> str | None:
    if type(m) is tree.Open:
        return "..."
    if m.docs is not None:
        return None
    text = _flat(r, m.type, room)
    if text is None:
        return None
    if type(m) is tree.Member:
        return spelling.head(m) + text + spelling.default(m)
    keys = "string" if m.keys is None else _flat(r, m.keys, room)
    return None if keys is None else spelling.rule_head(m, keys) + text


def _type(r: Remarks, t: tree.Type, indent: int, used: int) -> str:
    """The type, `used` characters into a line that is indented by `indent`."""
    flat = _flat(r, t, WIDTH - used)
    if flat is not None:
        return flat
    pad = "\n" + " " * (indent + 2)
    if type(t) is tree.Body:
        return _body(r, t, indent)
    if type(t) is tree.Alt:
        return pad + pad.join(_arms(r, t, indent))
    if type(t) is tree.Array:
        return _type(r, t.item, indent, used) + "[]"
    if type(t) is tree.Group:
        inner = _type(r, t.type, indent, used + 1)
        return f"({inner}\n{' ' * indent})" if inner.startswith("\n") else f"({inner})"
    if type(t) is tree.Noted:
        return _noted(r, t, indent, used)
    if type(t) is tree.Tuple:
        items = [spelling.item(i, _type(r, i.type, indent + 2, indent + 6)) for i in t.items]
        return f"[{pad}{(',' + pad).join(items)}\n{' ' * indent}]"
    if type(t) is tree.Listed:
        return (
            f"enum({pad}{(',' + pad).join([spelling.value(v) for v in t.values])}\n{' ' * indent})"
        )
    if type(t) is tree.Speaking:
        return f"any({_arguments(r, t.arguments, indent)})"
    if type(t) is tree.Both:
        return " & ".join([_type(r, p, indent, indent + 4) for p in t.parts])
    assert type(t) is tree.Word or type(t) is tree.Value
    return (
        spelling.value(t.value) if type(t) is tree.Value else spelling.name(t.name, quoted=t.quoted)
    )


def _arms(r: Remarks, t: tree.Alt, indent: int) -> list[str]:
    """The lines of alternatives; plain values share lines."""
    lines: list[str] = []
    filling = False
    for arm in t.arms:
        is_value = type(arm.type) is tree.Value and arm.docs is None
        text = "| " + _type(r, arm.type, indent + 4, indent + 4)
        if is_value and filling and len(lines[-1]) + 1 + len(text) <= WIDTH - indent - 2:
            lines[-1] += " " + text
        else:
            lines += [*spelling.docs_of(arm.docs), text]
        filling = is_value
    return lines


def _noted(r: Remarks, t: tree.Noted, indent: int, used: int) -> str:
    text = _type(r, t.type, indent, used)
    for m in t.marks:
        last = len(text) - text.rfind("\n") - 1 if "\n" in text else used + len(text)
        mark = _flat_mark(r, m, WIDTH - last - 1) or _mark(r, m, indent)
        text = f"{text} {mark}"
    return text


def _mark(r: Remarks, m: tree.Mark, indent: int) -> str:
    return f"@{m.name}({_arguments(r, m.types, indent)})"


def _arguments(r: Remarks, arguments: Sequence[tree.Argument], indent: int) -> str:
    """The arguments: one that is broken anyway hugs its parentheses, several stand on lines of their own."""
    if len(arguments) == 1 and type(arguments[0].type) is tree.Body:
        return spelling.label(arguments[0]) + _type(r, arguments[0].type, indent, indent)
    pad = "\n" + " " * (indent + 2)
    lines = [
        spelling.after(
            spelling.label(a),
            _type(r, a.type, indent + 2, indent + 2 + len(spelling.label(a))),
        )
        for a in arguments
    ]
    return f"{pad}{(',' + pad).join(lines)}\n{' ' * indent}"


def _body(r: Remarks, t: tree.Body, indent: int) -> str:
    lines: list[str] = []
    for m in t.members:
        lines += r.before.get(m.start, ()) if m.start >= 0 else ()
        text = _member(r, m, indent + 2, lines)
        if m.start >= 0:
            text += "".join([f"  {c}" for c in r.behind.get(m.start, ())])
        lines.append(text)
    if t.end >= 0:
        lines += r.before.get(t.end, ())
    pad = "\n" + " " * (indent + 2)
    body = "{" + "".join([pad + line for line in lines]) + f"\n{' ' * indent}}}"
    return f"closed {body}" if t.closed else body


def _member(
    r: Remarks, m: tree.Member | tree.Rule | tree.Open, indent: int, lines: list[str]
) -> str:
    if type(m) is tree.Open:
        return "..."
    lines += spelling.docs_of(m.docs)
    if type(m) is tree.Member:
        head = spelling.head(m)
        default = spelling.default(m)
        used = indent + len(head) + len(default)
        return spelling.after(head, _type(r, m.type, indent, used)) + default
    keys = "string" if m.keys is None else _type(r, m.keys, indent, indent + 8)
    head = spelling.rule_head(m, keys)
    return spelling.after(head, _type(r, m.type, indent, indent + len(head)))
