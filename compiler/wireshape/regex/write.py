r"""Write the tree of a pattern as text that parses to the same tree.

`raw` text is for engines of other languages: it keeps to escapes that all of them read (`\.`, `\n`, `\x07`), and writes
every other character as itself. Otherwise invisible characters are written as `\uXXXX`.
"""

from __future__ import annotations

from typing import Final

from wireshape.regex import nodes

_SYNTAX: Final = frozenset(r"^$\.*+?()[]{}|")
_IN_CLASS: Final = frozenset(r"\[]^")
_DIGITS: Final = frozenset("0123456789")
_NAMED: Final = {"\t": r"\t", "\n": r"\n", "\v": r"\v", "\f": r"\f", "\r": r"\r"}
_DASH: Final = 0x2D
_OPENINGS: Final = {"capture": "(", "plain": "(?:"}


def write(tree: nodes.Alt, *, raw: bool = False) -> str:
    r"""Write a tree; `parse(write(tree)) == tree` for every tree that `parse` can give.

    >>> word = nodes.Set((nodes.Shorthand("w"), nodes.Range(45, 45)))
    >>> write(nodes.Alt((nodes.Seq((nodes.Text("1."), nodes.Repeat(word, 2, 2))),)))
    '1\\.[\\w-]{2}'
    """
    return "|".join([_seq(arm, raw) for arm in tree.arms])


def _seq(seq: nodes.Seq, raw: bool) -> str:
    parts: list[str] = []
    for item in seq.items:
        text = _node(item, raw)
        if parts and text[0] in _DIGITS and parts[-1][0] == "\\" and parts[-1][1:].isdigit():
            text = rf"\x{ord(text[0]):02x}{text[1:]}"  # not one more digit of a back-reference
        parts.append(text)
    return "".join(parts)


def _node(n: nodes.Node, raw: bool) -> str:
    match n:
        case nodes.Text(text):
            return "".join([_char(c, raw, _SYNTAX) for c in text])
        case nodes.Set(members, negated):
            return f"[{'^' if negated else ''}{_members(members, raw)}]"
        case nodes.Repeat(node, low, high, lazy):
            return f"{_node(node, raw)}{_times(low, high)}{'?' if lazy else ''}"
        case nodes.Group(body, kind, label):
            opening = _OPENINGS.get(kind) or (f"(?<{label}>" if kind == "named" else f"(?{label}:")
            return f"{opening}{write(body, raw=raw)})"
        case nodes.Look(body, behind, negated):
            return f"(?{'<' if behind else ''}{'!' if negated else '='}{write(body, raw=raw)})"
        case _:
            return _fixed(n)


def _fixed(
    n: nodes.Dot
    | nodes.Shorthand
    | nodes.Property
    | nodes.Start
    | nodes.End
    | nodes.Boundary
    | nodes.Backreference,
) -> str:
    match n:
        case nodes.Dot():
            return "."
        case nodes.Shorthand(letter):
            return f"\\{letter}"
        case nodes.Property(name, negated):
            return f"\\{'P' if negated else 'p'}{{{name}}}"
        case nodes.Start():
            return "^"
        case nodes.End():
            return "$"
        case nodes.Boundary(negated):
            return r"\B" if negated else r"\b"
        case nodes.Backreference(to):
            return f"\\{to}" if isinstance(to, int) else f"\\k<{to}>"


def _members(members: tuple[nodes.Range | nodes.Shorthand | nodes.Property, ...], raw: bool) -> str:
    parts: list[str] = []
    for i, member in enumerate(members):
        if not isinstance(member, nodes.Range):
            parts.append(_fixed(member))
            continue
        single = member.low == member.high
        text = (
            "-"
            if single and member.low == _DASH and i == len(members) - 1
            else _member(member.low, raw)
        )
        if not single:
            text += f"-{_member(member.high, raw)}"
        if raw and parts and text[0] in "&~" and parts[-1][-1] == text[0]:
            text = (
                f"\\x{ord(text[0]):02x}{text[1:]}"  # `&&` and `~~` are operators in some languages
            )
        parts.append(text)
    return "".join(parts)


def _member(code: int, raw: bool) -> str:
    return r"\-" if code == _DASH else _char(chr(code), raw, _IN_CLASS)


def _char(c: str, raw: bool, syntax: frozenset[str]) -> str:
    if c in syntax:
        return f"\\{c}"
    if c in _NAMED:
        return _NAMED[c]
    code = ord(c)
    if code < 0x20 or 0x7F <= code <= 0xA0:
        return f"\\x{code:02x}"
    if not raw and code <= 0xFFFF and (not c.isprintable() or c.isspace()) and c != " ":
        return f"\\u{{{code:x}}}" if 0xDC00 <= code <= 0xDFFF else f"\\u{code:04x}"
    return c


def _times(low: int, high: int | None) -> str:
    if high is None:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    if (low, high) == (0, 1):
        return "?"
    return f"{{{low}}}" if low == high else f"{{{low},{high}}}"
