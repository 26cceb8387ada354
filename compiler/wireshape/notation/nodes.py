"""A tree becomes nodes, by the constructors that keep the invariants of the IR; what people get wrong is a `Fault`.

Noted(Word("string"), (Mark("min", (3,)),))   ->   String(min_length=3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, assert_never

from wireshape import ir
from wireshape.notation import marks, tree
from wireshape.notation.faults import meaning
from wireshape.notation.words import FREE, NO_MORE
from wireshape.read import build
from wireshape.read.checks import is_pattern
from wireshape.read.merge import type_of
from wireshape.read.names import of_keys
from wireshape.report import Note, make_note

if TYPE_CHECKING:
    from wireshape.read.build import Raw


@dataclass(slots=True)
class Context:
    """What one text declares, and what came up while its types were made.

    `lazies` counts the conjunctions, and the rules about keys: none means that nothing needs merging.
    """

    names: Mapping[str, str]
    formats: frozenset[str]
    notes: list[Note] = field(default_factory=list[Note])
    lazies: int = 0
    size: int = 0


def node(t: tree.Type, at: ir.Path, cx: Context) -> Raw:
    """Return the node of a type, at a place of the JSON Schema that means the same."""
    cx.size += 1
    if type(t) is tree.Word:
        return _word(t, at, cx)
    if type(t) is tree.Noted:
        return _noted(t, at, cx)
    if type(t) is tree.Body:
        return _body(t, at, cx, [])
    if type(t) is tree.Alt:
        return _alternatives(t, at, cx, exclusive=False)
    if type(t) is tree.Value:
        return build.literal([t.value], None, at)
    if type(t) is tree.Array:
        return build.array(ir.List(_child(t.item, (at, "items"), cx), at=at))
    if type(t) is tree.Group:
        return node(t.type, at, cx)
    if type(t) is tree.Listed:
        cx.size += len(t.values)
        return build.literal(t.values, None, at)
    if type(t) is tree.Tuple:
        return _tuple(t, at, cx, [])
    if type(t) is tree.Speaking:
        return _speaking(t, at, cx)
    if type(t) is tree.Both:
        made = build.conj([node(p, ((at, "allOf"), i), cx) for i, p in enumerate(t.parts)], at)
        cx.lazies += type(made) is build.And
        return made
    assert_never(t)


def _child(t: tree.Type, at: ir.Path, cx: Context) -> ir.Node:
    """A node where one is declared; conjunctions pass for one until they are merged."""
    return build.lazy(node(t, at, cx))


def described(raw: Raw, docs: str | None) -> Raw:
    """Return the node with the text of its `///` lines."""
    if docs is None:
        return raw
    if raw.ann is None or "description" in raw.ann:
        return build.with_ann(raw, {"description": docs})
    return build.with_ann(build.bare(raw), {"description": docs, **raw.ann})


def _word(t: tree.Word, at: ir.Path, cx: Context) -> Raw:
    if not t.quoted:
        if t.name == "string":
            return ir.String(at=at)
        if t.name == "integer" or t.name == "number":
            return ir.Number(t.name == "integer", at=at)
        if t.name == "boolean":
            return ir.Boolean(at=at)
        if t.name == "object":
            return ir.Object((), build.ANY, open=True, at=at)
        if t.name == "null":
            return ir.Null(at=at)
        if t.name == "any":
            return ir.Any(at=at)
        if t.name == "never":
            return ir.Never(at=at)
    name = cx.names.get(t.name)
    if name is None:
        raise meaning(_unknown(t.name, cx), t.start)
    return ir.Ref(name, at=at)


_MISTAKES: Final = {
    "str": "string", "text": "string", "int": "integer", "long": "integer", "float": "number", "double": "number", "bool": "boolean",
    "dict": "object", "map": "object", "list": "T[]", "array": "T[]", "none": "null", "nil": "null", "undefined": "a `?` behind the key",
    "unknown": "any", "mixed": "any", "date": 'string @format("date")', "record": "{ [key: string]: T }", "enum": "enum(...)",
}  # fmt: skip


def _unknown(name: str, cx: Context) -> str:
    near = get_close_matches(name, [*tree.WORDS, *cx.names], 1)
    meant = _MISTAKES.get(name.lower()) or (near[0] if near else None)
    hint = f"write {meant}" if meant else "declare it: `type Name = ...`"
    return f"no type is called {name!r:.60}; {hint}"


def _body(
    t: tree.Body, at: ir.Path, cx: Context, own: Sequence[tree.Mark], *, lists: bool = True
) -> Raw:
    """An object; `own` are the annotations that bind objects; `lists` tells that braces are there to list its keys."""
    fields: list[ir.Field] = []
    rules: list[tree.Rule] = []
    extras: tree.Rule | tree.Open | None = None
    seen: set[str] = set()
    for m in t.members:
        if type(m) is tree.Member:
            if m.key in seen:
                msg = f"the key {m.key!r:.60} is declared twice"
                raise meaning(msg, m.start)
            seen.add(m.key)
            fields.append(_field(m, at, cx))
        elif type(m) is tree.Rule and m.regex is not None:
            rules.append(m)
        elif extras is not None or t.closed:
            again = "the object is closed" if t.closed else "other keys are spoken of twice"
            raise meaning(again, m.start)
        else:
            extras = m
    patterns = _patterns(rules, at, cx)
    if patterns and fields:
        waiting = tuple([p for p, r in zip(patterns, rules, strict=True) if not r.merged])
        fields = [_under(f, waiting, at, cx) for f in fields]
    rest, named = _extras(extras, at, cx, closed=t.closed)
    keys = [m for m in own if m.name == "keys"]
    if keys:
        named = _keys(keys, named, at, cx)
    if named is not None and (fields or type(named) is not ir.String):
        cx.lazies += 1  # to be put on the keys once all is merged
    said = marks.filled(ir.Object, [m for m in own if m.name != "keys"])
    node = ir.Object(
        tuple(fields),
        rest,
        extras is None and not t.closed,
        patterns,
        None if named is None else build.lazy(named),
        at=at,
        listed=bool(fields) or (lists and not t.members),
    )
    return build.obj(replace(node, **said))


def _field(m: tree.Member, at: ir.Path, cx: Context) -> ir.Field:
    made = described(node(m.type, ((at, "properties"), m.key), cx), m.docs)
    if m.has_default:
        made = build.with_ann(made, {"default": m.default})
    return ir.Field(m.key, build.lazy(made), not m.optional)


def _patterns(rules: Sequence[tree.Rule], at: ir.Path, cx: Context) -> tuple[ir.Pattern, ...]:
    made: dict[str, ir.Pattern] = {}
    for rule in rules:
        regex = rule.regex or ""
        if regex in made:
            msg = f"the pattern {regex!r:.60} is given twice"
            raise meaning(msg, rule.start)
        if not is_pattern(regex):
            msg = f"{regex!r:.60} is no regular expression of ECMA-262"
            raise meaning(msg, rule.start)
        raw = node(rule.type, ((at, "patternProperties"), regex), cx)
        made[regex] = ir.Pattern(regex, build.lazy(described(raw, rule.docs)))
    return tuple(made.values())


def _under(f: ir.Field, patterns: tuple[ir.Pattern, ...], at: ir.Path, cx: Context) -> ir.Field:
    """A declared key follows the patterns that are found in it."""
    hits = build.matching(patterns, f.key, at)
    if not hits:
        return f
    raw = build.conj([f.node, *[p.node for p in hits]], ((at, "properties"), f.key))
    cx.lazies += type(raw) is build.And
    return ir.Field(f.key, build.lazy(raw), f.required)


def _extras(
    rule: tree.Rule | tree.Open | None, at: ir.Path, cx: Context, *, closed: bool
) -> tuple[ir.Node, Raw | None]:
    """What other keys hold, and what a rule about them says of the keys themselves."""
    here: ir.Path = (at, "additionalProperties")
    if closed:
        return ir.Never(NO_MORE, None, here), None
    if type(rule) is not tree.Rule:
        return build.ANY, None
    made = build.lazy(described(node(rule.type, here, cx), rule.docs))
    if type(made) is ir.Any and made.ann is None:
        made = build.ANY
    keys = None if rule.keys is None else of_keys(node(rule.keys, (at, "propertyNames"), cx))
    return made, keys


def _keys(given: Sequence[tree.Mark], named: Raw | None, at: ir.Path, cx: Context) -> Raw | None:
    """The type of all keys, of `@keys` and of the rule for other keys."""
    if len(given) > 1 or len(given[0].types) != 1 or given[0].types[0].label is not None:
        raise meaning("`@keys` takes one type, once", given[-1].start)
    made = of_keys(node(given[0].types[0].type, (at, "propertyNames"), cx))
    parts = [p for p in (made, named) if p is not None]
    return build.conj(parts, at) if parts else None


def _alternatives(t: tree.Alt, at: ir.Path, cx: Context, *, exclusive: bool) -> Raw:
    """The options of a union; plain values side by side are one option."""
    options: list[Raw] = []
    word = "oneOf" if exclusive else "anyOf"
    run: list[ir.Json] = []
    for arm in (*t.arms, None):
        if arm is not None and type(arm.type) is tree.Value and arm.docs is None:
            run.append(arm.type.value)
            continue
        if run:
            options.append(build.literal(run, None, ((at, word), len(options))))
            run = []
        if arm is not None:
            made = node(arm.type, ((at, word), len(options)), cx)
            options.append(described(made, arm.docs))
    cx.size += len(t.arms)
    return (build.one_of if exclusive else build.union)(options, None, at)


def _tuple(t: tree.Tuple, at: ir.Path, cx: Context, own: Sequence[tree.Mark]) -> Raw:
    """Positions; without a rest nothing follows, but where `@max` says so anyway, the rest is left open."""
    prefix: list[ir.Node] = []
    rest: ir.Node | None = None
    least = 0
    for item in t.items:
        if rest is not None:
            raise meaning("nothing may follow the rest of a tuple", item.start)
        if item.rest:
            rest = _rest(item, at, cx)
            continue
        if not item.optional and least < len(prefix):
            raise meaning("a position without `?` follows one that may be absent", item.start)
        least += not item.optional
        prefix.append(_child(item.type, ((at, "prefixItems"), len(prefix)), cx))
    if not prefix:
        raise meaning("a tuple has positions; write `T[]` for an array", t.start)
    said = marks.filled(ir.Tuple, own)
    if rest is None:
        full = said.get("max_items") is not None and said["max_items"] <= len(prefix)
        rest = build.ANY if full else ir.Never(NO_MORE, None, (at, "items"))
    said["min_items"] = max(least, said.get("min_items", 0))
    return build.array(replace(ir.Tuple(tuple(prefix), rest, at=at), **said))


def _rest(item: tree.Item, at: ir.Path, cx: Context) -> ir.Node:
    if type(item.type) is not tree.Array:
        raise meaning("the rest of a tuple is an array: `...T[]`", item.start)
    made = _child(item.type.item, (at, "items"), cx)
    return build.ANY if type(made) is ir.Any and made.ann is None else made


def _speaking(t: tree.Speaking, at: ir.Path, cx: Context) -> Raw:
    options = dict(FREE)
    implied: list[str] = []
    for argument in t.arguments:
        raw = node(argument.type, at, cx)
        kind = argument.label or (None if type(raw) is build.And else type_of(build.settled(raw)))
        if kind not in ir.KINDS:
            hint = "name its JSON type: any(object: T)"
            msg = f"which values this type speaks of is not plain; {hint}"
            raise meaning(msg, argument.start)
        if kind in implied:
            msg = f"two types speak of every {kind}"
            raise meaning(msg, argument.start)
        implied.append(kind)
        options[kind] = build.lazy(raw)
    order = tuple([kind for kind in ir.KINDS if kind in implied])
    return build.typeless(list(options.values()), order, None, at)


def _noted(t: tree.Noted, at: ir.Path, cx: Context) -> Raw:
    """A type with annotations: its own rules first, then assertions around it, then texts."""
    inner, grouped = t.type, type(t.type) is tree.Group
    exclusive = [m for m in t.marks if m.name == "exclusive"]
    if type(inner) is tree.Group and type(inner.type) is tree.Alt and exclusive:
        base = _alternatives(inner.type, at, cx, exclusive=True)
        left = [m for m in t.marks if m.name != "exclusive"]
    else:
        base, left = _own(inner, t.marks, at, cx, grouped=grouped)
    kind: type = type(base)
    assertions: list[ir.Assertion] = []
    ann: dict[str, ir.Json] = {}
    for mark in left:
        if mark.name in marks.ASSERTIONS:
            assertions.append(_assertion(mark, at, cx))
        elif mark.name in marks.TEXTS:
            word, value = marks.text(mark)
            if word in ann:
                msg = f"`@{mark.name}` is given twice"
                raise meaning(msg, mark.start)
            ann[word] = value
            if mark.name == "format" and cx.formats:
                pointer = ir.pointer((at, "format"))
                cx.notes.append(make_note("WS103", pointer, "format", fields={"value": str(value)}))
        else:
            raise marks.misplaced(kind, mark, grouped=grouped)
    if assertions:
        base = build.refine(base, assertions, None, at)
    return build.with_ann(base, ann or None)


def _own(
    t: tree.Type, given: Sequence[tree.Mark], at: ir.Path, cx: Context, *, grouped: bool
) -> tuple[Raw, list[tree.Mark]]:
    """The type with the rules that bind its kind, and the annotations that are left."""
    if type(t) is tree.Body:
        own = [m for m in given if m.name == "keys" or marks.is_own(ir.Object, m, cx.formats)]
        return _body(t, at, cx, own), [m for m in given if m not in own]
    if type(t) is tree.Tuple:
        own = [m for m in given if marks.is_own(ir.Tuple, m, cx.formats)]
        return _tuple(t, at, cx, own), [m for m in given if m not in own]
    if type(t) is tree.Word and t.name == "object" and not t.quoted:
        own = [m for m in given if m.name == "keys" or marks.is_own(ir.Object, m, cx.formats)]
        return _body(tree.Body(()), at, cx, own, lists=False), [m for m in given if m not in own]
    base = node(t, at, cx)
    if grouped or type(base) is build.And or not (type(t) is tree.Word or type(t) is tree.Array):
        return base, list(given)
    own = [m for m in given if marks.is_own(type(base), m, cx.formats)]
    if not own:
        return base, list(given)
    said: dict[str, Any] = marks.filled(type(base), own)
    made = replace(build.settled(base), **said)
    return _checked(made), [m for m in given if m not in own]


def _checked(n: ir.Node) -> Raw:
    if type(n) is ir.Number:
        return build.number(n)
    if type(n) is ir.String:
        return build.string(n)
    return build.array(n) if type(n) is ir.List else n


def _assertion(mark: tree.Mark, at: ir.Path, cx: Context) -> ir.Assertion:
    here: ir.Path = (at, mark.name)
    types = mark.types[:1] if mark.name == "contains" else mark.types
    nodes = [_child(a.type, (here, i), cx) for i, a in enumerate(types)]
    return marks.residual(mark, nodes, at)
