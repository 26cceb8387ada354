"""Spells the small parts that no layout changes: names, keys, values, patterns, documentation."""

from __future__ import annotations

import json
import re
from typing import Final

from wireshape.ir import Json
from wireshape.notation import tree

_IDENTIFIER: Final = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
_SLASHED: Final = re.compile(r"(?:[^/\\\n]|\\[^\n])(?:[^/\\\n]|\\[^\n])*")


def opening(definition: tree.Definition, gap: str = " ") -> str:
    """What stands before the type of a definition, nothing before a body; `gap` is around what joins a name and a type."""
    if definition.name is None:
        return ""
    return f"type {name(definition.name, quoted=definition.quoted)}{gap}={gap}"


def after(opening: str, text: str) -> str:
    """Put text behind an opening, without a blank where it begins on a new line."""
    return (opening.rstrip() if text.startswith("\n") else opening) + text


def name(text: str, *, quoted: bool) -> str:
    """Write the name of a type."""
    return f"`{text}`" if quoted else text


def needs_quotes(text: str) -> bool:
    """Whether the name of a type would be read as something else without backticks."""
    return text in tree.WORDS or text in tree.RESERVED or _IDENTIFIER.fullmatch(text) is None


def docs_of(text: str | None) -> list[str]:
    """The `///` lines of a text."""
    if text is None:
        return []
    return [f"/// {line}" if line else "///" for line in text.split("\n")]


def value(v: Json) -> str:
    """Write a JSON value; a string in double quotes."""
    return json.dumps(v, ensure_ascii=False)


def key(text: str) -> str:
    """Write the key of a field."""
    return text if _IDENTIFIER.fullmatch(text) else value(text)


def regex(text: str) -> str:
    """Write a regular expression between slashes, or as a string where that would not come back."""
    return f"/{text}/" if _SLASHED.fullmatch(text) else value(text)


def mark_values(mark: tree.Mark) -> list[str]:
    """Write the values of an annotation."""
    if mark.name == "pattern":
        return [regex(v) if type(v) is str else value(v) for v in mark.values]
    return [value(v) for v in mark.values]


def head(member: tree.Member, gap: str = " ") -> str:
    """Write what stands before the type of a field."""
    return f"{key(member.key)}{'?' if member.optional else ''}:{gap}"


def rule_head(rule: tree.Rule, keys: str, gap: str = " ") -> str:
    """Write what stands before the type of a rule for keys."""
    if rule.regex is None:
        return f"[key:{gap}{keys}]:{gap}"
    return f"[{'merged ' if rule.merged else ''}{regex(rule.regex)}]:{gap}"


def default(member: tree.Member, gap: str = " ") -> str:
    """Write the default of a field."""
    return f"{gap}={gap}{value(member.default)}" if member.has_default else ""


def label(argument: tree.Argument, gap: str = " ") -> str:
    """Write the label of an argument."""
    return "" if argument.label is None else f"{key(argument.label)}:{gap}"


def item(position: tree.Item, text: str) -> str:
    """Write a position of a tuple, given its type."""
    return f"...{text}" if position.rest else f"{text}?" if position.optional else text
