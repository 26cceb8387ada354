"""A tree becomes text of few tokens, for a model: no indentation, no blank behind a colon, documentation behind what it is about where it is one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from wireshape.notation import spelling, tree


def compact(file: tree.File) -> str:
    """Return the text in few tokens. `key:string` is two, with a blank it would be three.

    >>> compact(tree.File((tree.Definition(None, tree.Alt((tree.Arm(tree.Value("a")), tree.Arm(tree.Word("null"))))),)))
    '"a"|null'
    """
    blocks: list[str] = []
    for definition in file.definitions:
        text = _dense(definition.type)
        opening = spelling.opening(definition, "")
        blocks.append("\n".join([*spelling.docs_of(definition.docs), opening + text]))
    return "\n".join(blocks)


def _dense(t: tree.Type) -> str:
    if type(t) is tree.Word:
        return spelling.name(t.name, quoted=t.quoted)
    if type(t) is tree.Value:
        return spelling.value(t.value)
    if type(t) is tree.Noted:
        return " ".join([_dense(t.type), *[_dense_mark(m) for m in t.marks]])
    if type(t) is tree.Array:
        return _dense(t.item) + "[]"
    if type(t) is tree.Body:
        inner = "\n".join([_dense_member(m) for m in t.members])
        body = f"{{\n{inner}\n}}" if inner else "{}"
        return f"closed {body}" if t.closed else body
    if type(t) is tree.Alt:
        first = t.arms[0]
        if any([arm.docs is not None for arm in t.arms]):
            lines = [[*spelling.docs_of(arm.docs), "|" + _dense(arm.type)] for arm in t.arms]
            return "\n" + "\n".join([line for arm in lines for line in arm])
        return "|".join([_dense(first.type), *[_dense(arm.type) for arm in t.arms[1:]]])
    if type(t) is tree.Group:
        return f"({_dense(t.type)})"
    if type(t) is tree.Listed:
        return f"enum({','.join([spelling.value(v) for v in t.values])})"
    if type(t) is tree.Tuple:
        return f"[{', '.join([spelling.item(i, _dense(i.type)) for i in t.items])}]"
    if type(t) is tree.Speaking:
        return f"any({_dense_arguments(t.arguments)})"
    if type(t) is tree.Both:
        return " & ".join([_dense(p) for p in t.parts])
    assert_never(t)


def _dense_member(m: tree.Member | tree.Rule | tree.Open) -> str:
    if type(m) is tree.Open:
        return "..."
    if type(m) is tree.Member:
        text = spelling.head(m, "") + _dense(m.type) + spelling.default(m, "")
    else:
        keys = "string" if m.keys is None else _dense(m.keys)
        text = spelling.rule_head(m, keys, "") + _dense(m.type)
    lines = spelling.docs_of(m.docs)
    if len(lines) == 1 and "\n" not in text:
        return f"{text} {lines[0]}"
    return "\n".join([*lines, text])


def _dense_mark(m: tree.Mark) -> str:
    if not m.called:
        return f"@{m.name}"
    values = ", ".join(spelling.mark_values(m))
    return f"@{m.name}({values or _dense_arguments(m.types)})"


def _dense_arguments(arguments: Iterable[tree.Argument]) -> str:
    return ", ".join([spelling.label(a, "") + _dense(a.type) for a in arguments])
