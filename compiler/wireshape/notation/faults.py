"""What is wrong with a text, in words: tokens as people call them, the line, and a caret under the place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wireshape.codes import CODES
from wireshape.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(Exception):  # noqa: N818 - internal signal, turned into a NotationError by its only caller
    """What is wrong, at which offset of the text; the code tells syntax from meaning."""

    def __init__(self, what: str, start: int, code: str = "WS160") -> None:
        super().__init__(what)
        self.what = what
        self.start = start
        self.code = code


def meaning(what: str, start: int) -> Fault:
    """Build the fault of a text that is well-formed and means nothing."""
    return Fault(what, start, "WS161")


def located(fault: Fault, text: str) -> NotationError:
    """Build the error of a fault: where it is, and the line itself with a caret."""
    start = min(max(fault.start, 0), len(text))
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    line, column = text.count("\n", 0, start) + 1, start - begin + 1
    row = text[begin : len(text) if end < 0 else end].rstrip("\r").expandtabs(1)
    cut = max(0, column - _BEFORE)
    shown = row[cut : cut + _SHOWN]
    caret = " " * (column - 1 - cut) + "^"
    message = CODES["WS160"].template.format(what=fault.what, line=line, column=column)
    return NotationError(
        f"{message}\n  {shown}\n  {caret}", code=fault.code, line=line, column=column
    )


_BEFORE: Final = 80
_SHOWN: Final = 120


def deepest(text: str) -> int:
    """Return the offset of the first bracket of those that have the most around them."""
    depth = most = where = 0
    for i, c in enumerate(text):
        if c in "([{":
            depth += 1
            if depth > most:
                most, where = depth, i
        elif c in ")]}":
            depth -= 1
    return where


def unexpected(error: Any, text: str) -> Fault:
    """Say what a parser of lark met, and what it would have taken."""
    token = getattr(error, "token", None)
    if token is None:
        start: int = error.pos_in_stream
        return Fault(f"{_character(text, start)}; expected {_wanted(error.allowed or ())}", start)
    wanted = _wanted(error.accepts or error.expected)
    if token.type == "$END":
        return Fault(f"the text ends; expected {wanted}", len(text.rstrip()))
    start = token.start_pos
    if token.type in ("BEFORE", "ARM_DOCS"):
        start += str(token).index("///")
    met = _MET.get(token.type) or f"unexpected {str(token)[:_LONGEST]!r}"
    return Fault(f"{met}; expected {wanted}", start)


_LONGEST: Final = 40
_MET: Final = {
    "BEFORE": "a `///` line where nothing can be documented",
    "AFTER": "a `///` line where nothing can be documented",
    "ARM_DOCS": "a `///` line where nothing can be documented",
}


def _character(text: str, start: int) -> str:
    met = text[start]
    if met in "\"'":
        return "a string that does not end on its line"
    if met == "`":
        return "a quoted name that does not end on its line"
    return f"unexpected {met!r}"


_TYPE: Final = frozenset("NAME QUOTED STRING NUMBER ENUM PAREN ANY BRACKET BRACE CLOSED".split())
_JSON: Final = frozenset("NAME STRING NUMBER BRACKET BRACKETS BRACE".split())
_AFTER_TYPE: Final = frozenset(
    "BRACKETS MARK VALUES TYPES VBAR _AMPERSAND AMPERSAND ARM_DOCS".split()
)
_WORDS: Final = {
    "NAME": "a name", "QUOTED": "a name in backticks", "STRING": "a string", "NUMBER": "a number", "REGEX": "a /pattern/",
    "BRACE": "`{`", "CLOSE": "`}`", "PAREN": "`(`", "BRACKET": "`[`", "BRACKETS": "`[]`", "OPTIONAL": "`?`", "DOTS": "`...`",
    "COLON": "`:`", "EQUAL": "`=`", "VBAR": "`|`", "AMPERSAND": "`&`", "_COMMA": "`,`", "RPAR": "`)`", "RSQB": "`]`", "SEMICOLON": "`;`",
    "TYPE_IS": "`type Name =`", "CLOSED": "`closed {`", "ENUM": "`enum(`", "ANY": "`any(`", "$END": "the end of the text",
    "MARK": "an @annotation", "BEFORE": "a `///` line", "AFTER": "a `///` line",
}  # fmt: skip


def _wanted(names: Iterable[str]) -> str:
    """Name the tokens that could stand here, those of a type or a value as one."""
    left = set(names) - {"SPACE", "COMMENT", "MERGED"}
    words: list[str] = []
    if left >= _TYPE:
        words.append("a type")
        left -= _TYPE
    elif left >= _JSON:
        words.append("a JSON value")
        left -= _JSON
    if "MARK" in left or "VALUES" in left:
        left = (left - _AFTER_TYPE) | {"MARK"} if len(left) > _FEW else left - {"VALUES", "TYPES"}
    words += [_WORDS.get(name, name) for name in sorted(left) if name not in _QUIET]
    words = list(dict.fromkeys(words))
    return (
        words[0]
        if len(words) == 1
        else f"{', '.join(words[:-1])} or {words[-1]}"
        if words
        else "nothing more"
    )


_FEW: Final = 6
_QUIET: Final = frozenset({"AFTER", "ARM_DOCS", "BEFORE"})
