r"""Text becomes a tree, by a grammar of lark that looks one token ahead; it knows syntax only, no name and no meaning.

A `///` line is documentation: alone on its line it belongs to what follows, behind a field to that field. lark is loaded by
the first text.
"""

from __future__ import annotations

from contextvars import ContextVar
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from wireshape.notation import tree
from wireshape.notation.actions import ACTIONS, Comment
from wireshape.notation.faults import Fault, unexpected

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token

_SPACE = r"[ \t\r\n\f]*"
_INDENT = r"[ \t\r\f]*"
_LINE = r"\/\/\/(?!\/)[^\n]*"
_NAME = r"(?:[^\W\d]|\$)[\w$]*"

_GRAMMAR = rf"""
start: definition* | body definition*
body: _docs? type (_COMMA | ";")? AFTER?
definition: _docs? TYPE_IS name "=" type (_COMMA | ";")? AFTER?
_docs: BEFORE+
name: NAME | QUOTED

?type: _both | alternatives
alternatives: _both arm+ | arm+
arm: ARM_DOCS? "|" _both
_both: _noted | parts
parts: _noted ("&" _noted)+
_noted: _shape | marked
marked: _shape mark+
_shape: word | value | listed | array | tuple | object | group | speaking
array: _shape BRACKETS
word: NAME | QUOTED
value: STRING | NUMBER
listed: ENUM _json (_COMMA _json)* ")"
group: PAREN type ")"
speaking: ANY _arguments ")"
tuple: BRACKET item (_COMMA item)* _COMMA? "]"
item: type OPTIONAL? | DOTS type
object: CLOSED? BRACE (field | rule | open)* CLOSE
field: _docs? key OPTIONAL? ":" type default? (_COMMA | ";")? AFTER?
default: "=" _json
rule: _docs? BRACKET (NAME ":" type | MERGED? (REGEX | STRING)) "]" ":" type (_COMMA | ";")? AFTER?
open: DOTS (_COMMA | ";")?
key: NAME | STRING

mark: MARK | VALUES (_value (_COMMA _value)*)? ")" | TYPES _arguments? ")"
_value: _json | REGEX
_arguments: argument (_COMMA argument)*
argument: (key ":")? type

_json: json_word | json_scalar | json_list | json_object
json_word: NAME
json_scalar: STRING | NUMBER
json_list: BRACKETS | BRACKET _json (_COMMA _json)* "]"
json_object: BRACE (pair (_COMMA pair)*)? CLOSE
pair: STRING ":" _json

_COMMA: ","
BRACE: "{{"
CLOSE: "}}"
PAREN: "("
BRACKET: "["
BRACKETS.3: /\[{_SPACE}\]/
OPTIONAL: "?"
DOTS: "..."
NAME: /{_NAME}/
QUOTED: /`[^`\n]+`/
TYPE_IS.5: /type(?={_SPACE}(?:(?<![\w$]){_NAME}|`[^`\n]+`){_SPACE}=)/
ENUM.5: /enum{_SPACE}\(/
ANY.5: /any{_SPACE}\(/
CLOSED.5: /closed(?={_SPACE}\{{)/
MERGED.5: /merged(?={_SPACE}["'\/])/
STRING: /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
NUMBER: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w$.])/
REGEX: /\/(?:[^\/\\\n]|\\[^\n])(?:[^\/\\\n]|\\[^\n])*\//
TYPES.5: /@(?:{"|".join(sorted(tree.TYPES))})\(/
VALUES.4: /@[A-Za-z]\w*\(/
MARK: /@[A-Za-z]\w*/
ARM_DOCS.7: /\n{_INDENT}{_LINE}(?:\n{_INDENT}{_LINE})*(?=\n{_INDENT}\|)/
BEFORE.6: /(?:\A|\n){_INDENT}{_LINE}(?:\n{_INDENT}{_LINE})*/
AFTER.6: /{_LINE}/
COMMENT: /\/\/(?:\/\/|(?!\/))[^\n]*/
SPACE: /(?:[ \t\r\f]|\n(?!{_INDENT}\/\/\/(?!\/)))+/
%ignore COMMENT
%ignore SPACE
"""


def parse(text: str, comments: list[Comment] | None = None) -> tree.File:
    """Parse a text; raise `Fault` where it is no notation. Its comments are appended to `comments`.

    >>> parse("{a: string}").definitions[0].type.members[0].key
    'a'
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Fault("a lone surrogate, which is no Unicode text", error.start) from None
    run, refused = _parser()
    asked = _COMMENTS.set(comments)
    try:
        made: tree.File = run(text)
    except refused as error:
        raise unexpected(error, text) from None
    finally:
        _COMMENTS.reset(asked)
    return made


_COMMENTS: ContextVar[list[Comment] | None] = ContextVar("_COMMENTS", default=None)


@cache
def _parser() -> tuple[Callable[[str], tree.File], type[Exception]]:
    from lark import Lark, UnexpectedInput  # noqa: PLC0415 - heavy, and most sources are no notation

    rules: Any = SimpleNamespace(**ACTIONS)
    kept: Any = {"COMMENT": _keep}
    lark: Any = Lark(
        _GRAMMAR, parser="lalr", lexer="contextual", transformer=rules, lexer_callbacks=kept
    )
    return lark.parse, UnexpectedInput


def _keep(token: Token) -> Token:
    comments = _COMMENTS.get()
    if comments is not None:
        comments.append(Comment(str(token).rstrip(), token.start_pos or 0))
    return token
