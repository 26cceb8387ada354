"""Call syntaxes that are made of tokens of their own: quotes as tokens, and elements whose tags are led by one."""

from __future__ import annotations

import json
import re
from typing import Any

from wireshape.reply.calls import Found, Readings, Told, cut_off
from wireshape.reply.gaps import Unreadable

_QUOTE = '<|"|>'
_QUOTED_END = "<tool_call|>"
_QUOTE_OR_END = re.compile(re.escape(_QUOTE) + "|" + re.escape(_QUOTED_END))
LEAD = "]<]minimax[>["
"""Stands before each tag of a call."""
_TAG = re.compile(r"<(/?)([^<>/]{1,200})>")
_MAX_DEPTH = 32


def quoted(
    text: str, mark: re.Match[str], stop: int, readings: Readings
) -> tuple[list[Found], int]:
    """`call:NAME{key:<|"|>text<|"|>}`: bare keys, and text between tokens, with nothing escaped."""
    pieces: list[str] = []
    at, inside = mark.end(), False
    while (token := _QUOTE_OR_END.search(text, at, stop)) is not None:
        piece = text[at : token.start()]
        if token.group() == _QUOTED_END and not inside:
            pieces.append(piece)
            break
        if token.group() == _QUOTED_END:  # part of a text
            token = re.compile(re.escape(_QUOTE)).search(text, token.end(), stop)
            if token is None:
                raise cut_off(at)
            piece = text[at : token.start()]
        pieces.append(json.dumps(piece) if inside else piece)
        at, inside = token.end(), not inside
    else:
        raise cut_off(at)
    body = "".join(pieces)
    ways = readings(body, 0, len(body))
    if len(ways) != 1 or ways[0].odd or ways[0].risky or body[ways[0].end :].strip():
        raise Unreadable("WS630", "arguments that cannot be read for certain", mark.end())
    return [Found(mark.group(1), mark.start(), token.end(), ways[0].value)], token.end()


def elements(
    text: str, mark: re.Match[str], stop: int, _readings: Readings
) -> tuple[list[Found], int]:
    """An element for each parameter, every tag led by a token; parameters that have elements inside are objects or lists."""
    at = mark.end()
    end = text.find(LEAD + "</invoke>", at, stop)
    if end < 0:
        raise cut_off(at)
    pieces = text[at:end].split(LEAD)
    if pieces[0].strip():
        raise Unreadable("WS630", "text where a parameter is due", at)
    members, left = _members(pieces, 1, at, 0)
    if left < len(pieces):
        raise Unreadable("WS630", "a tag that nothing opened", at)
    texts: dict[str, str] = {}
    told: dict[str, Told] = {}
    for key, value in _object(members, at).items():
        if isinstance(value, str):
            texts[key] = value
        else:
            texts[key], told[key] = json.dumps(value, ensure_ascii=False), "parts"
    after = end + len(LEAD + "</invoke>")
    return [Found(mark.group(1), mark.start(), after, texts=texts, told=told)], after


def _members(
    pieces: list[str], at: int, where: int, depth: int
) -> tuple[list[tuple[str, Any]], int]:
    """Read the elements from `pieces[at]` up to the closing tag of what holds them."""
    out: list[tuple[str, Any]] = []
    while at < len(pieces):
        tag = _TAG.match(pieces[at])
        if tag is None or depth > _MAX_DEPTH:
            raise Unreadable("WS630", "text where a tag is due", where)
        if tag.group(1):
            return out, at
        name, text = tag.group(2), pieces[at][tag.end() :]
        inner, at = _members(pieces, at + 1, where, depth + 1)
        closing = None if at == len(pieces) else _TAG.match(pieces[at])
        if closing is None or closing.group(2) != name or pieces[at][closing.end() :].strip():
            raise Unreadable("WS630", f"the element {name[:40]!r} has no end", where)
        if inner and text.strip():
            raise Unreadable("WS630", "text beside elements", where)
        out.append((name, _value(inner, where) if inner else text))
        at += 1
    return out, at


def _value(members: list[tuple[str, Any]], where: int) -> Any:
    """Elements that are all called `item` are a list, others an object."""
    if {name for name, _ in members} == {"item"}:
        return [value for _, value in members]
    return _object(members, where)


def _object(members: list[tuple[str, Any]], where: int) -> dict[str, Any]:
    out = dict(members)
    if len(out) < len(members):
        raise Unreadable("WS631", "a parameter that is given twice", where)
    return out
