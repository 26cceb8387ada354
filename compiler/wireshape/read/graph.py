"""One JSON document becomes one graph: root and definitions are read, cycles cut, conjunctions merged, names ordered."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

from wireshape import ir
from wireshape.codes import CODES
from wireshape.errors import SchemaError
from wireshape.read import build, spine, ways
from wireshape.read.alike import united
from wireshape.read.endless import endless
from wireshape.read.json_copy import copy_json, kind_of
from wireshape.read.json_schema import dry, read_schema
from wireshape.read.normalise import Normaliser
from wireshape.read.order import ordered, reached
from wireshape.read.refs import Store, detect
from wireshape.read.scope import State, claim_name, resource_env, scope_for
from wireshape.read.share import hoist
from wireshape.read.ways import ENDLESS, ways_in_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from wireshape.options import Options
    from wireshape.read.build import Raw
    from wireshape.report import Note


class Document(NamedTuple):
    """What was read: graph, own copy, draft, notes, whether there are conditions, and how many parts of combinators.

    `partly` tells that merging all conjunctions takes too much work, so that some are left; `apart` then is the graph with
    none of them merged, unless a validator would take too many ways through it.
    """

    graph: ir.Graph
    document: ir.Json
    draft: str
    notes: tuple[Note, ...]
    conditional: bool
    parts: int
    partly: bool = False
    apart: ir.Graph | None = None


def read_document(source: Any, options: Options) -> Document:
    """Read a document."""
    copy = copy_json(source)
    document = copy.value
    store = Store(options.registry)
    spec, unknown = detect(document, options.draft, store)
    resource = store.add(document, "", spec, scan=copy.identified or _names_itself(document))
    st = State(store, read_schema, assert_formats=options.assert_formats)
    cx = scope_for(st, resource, resource_env(resource), dry=False)
    if unknown is not None:
        cx.note("WS116", None, "$schema", value=unknown, hint=spec.name)
    st.root_key = (id(document), cx.key)
    st.seen.add(id(document))
    root = read_schema(document, None, cx)
    while st.queue:
        name, target, scope = st.queue.pop()
        st.defs[name] = read_schema(target.value, target.path, scope)
    if st.pending:
        _check_unused(st)
    if st.keys:
        named = st.keys.get(st.root_key)
        if named is not None:
            st.defs[named] = root
            root = ir.Ref(named)
        if spine.cut_cycles(st.defs):
            st.parts += ENDLESS
    st.close()
    made = settle(
        root, st.defs, st.claim, copy.size, merging=st.lazies > 0, again=_read_again(st.keys)
    )
    refuse_tangled(made.graph)
    conditional, notes = st.conditions > 0, tuple(st.notes)
    return Document(
        made.graph, document, spec.name, notes, conditional, st.parts, made.partly, made.apart
    )


def _read_again(keys: Mapping[tuple[object, object], str]) -> set[str]:
    """Choose the definitions that another one reads in another scope; they may say the same."""
    first: dict[object, str] = {}
    return {name for (place, _), name in keys.items() if first.setdefault(place, name) != name}


def _names_itself(document: ir.Json) -> bool:
    return kind_of(document) is dict and not _ROOT_IDS.isdisjoint(document)


MOST_WAYS = 1_000_000
"""Paths through alternatives and references at one value; a validator takes every one of them."""
WORK_FLOOR = 500
WORK_PER_VALUE = 4
"""Steps of merging (fields, options and values looked at) per value of the source; beyond it conjunctions stay `allOf`."""
_ROOT_IDS = frozenset({"$anchor", "$dynamicAnchor", "$recursiveAnchor"})


def _check_unused(st: State) -> None:
    """Definitions that nothing refers to must be well-formed too."""
    while st.pending:
        definitions, at, cx = st.pending.pop()
        for name, sub in definitions.items():
            if id(sub) not in st.seen:
                st.seen.add(id(sub))
                read_schema(sub, (at, name), dry(cx))


class Settled(NamedTuple):
    """The graph of what was read; whether conjunctions are left in it, and then the graph with none of them merged."""

    graph: ir.Graph
    partly: bool = False
    apart: ir.Graph | None = None


def settle(
    root: Raw,
    defs: dict[str, Raw],
    claim: Callable[[str], str],
    size: int,
    *,
    merging: bool,
    again: AbstractSet[str] = frozenset(),
) -> Settled:
    """Return the graph of what was read: conjunctions merged if there are any, what is impossible spread.

    Of definitions that were read `again`, those that say the same become one.
    """
    if not (defs or merging):
        return Settled(ir.Graph(build.settled(root), {}))
    aliases = _aliases(defs)
    if merging:
        run = Normaliser(defs, claim, WORK_FLOOR + WORK_PER_VALUE * size, aliases)
        graph = _merged(root, run, claim, size, again)
        if run.work >= 0:
            return Settled(graph)
        return Settled(graph, partly=True, apart=_apart(root, defs, aliases, size))
    final = {name: build.settled(node) for name, node in defs.items()}
    top = build.settled(root)
    if again:
        top, final = united(top, final, again)
    top, final = _possible(top, final, aliases, claim, size)
    return Settled(ir.Graph(top, ordered(top, final)))


def _aliases(defs: Mapping[str, Raw]) -> dict[str, ir.Node]:
    """Choose the definitions that are another one, and say nothing of their own."""
    return {name: n for name, n in defs.items() if type(n) is ir.Ref and n.ann is None}


def _apart(
    root: Raw, defs: Mapping[str, Raw], aliases: Mapping[str, ir.Node], size: int
) -> ir.Graph | None:
    """Nothing merged; None where a validator would take too many ways through it."""
    claim = _claiming(defs)
    graph = _merged(root, Normaliser(defs, claim, -1, aliases), claim, size)
    return None if ways_in_graph(graph) > ways.MOST_WAYS else graph


def _claiming(defs: Mapping[str, Raw]) -> Callable[[str], str]:
    used = dict.fromkeys(defs, 0)
    return lambda name: claim_name(used, name)


def refuse_tangled(graph: ir.Graph) -> None:
    """Refuse a graph that no validator could walk."""
    if graph.defs and ways_in_graph(graph) > MOST_WAYS:
        what = f"one whose definitions meet in more than {MOST_WAYS} ways at one value"
        raise SchemaError(CODES["WS114"].template.format(what=what), code="WS114")


def merge(root: Raw, defs: Mapping[str, Raw], work: int) -> ir.Graph | None:
    """Merge the conjunctions in a graph that was read before; None when that takes too much work."""
    claim = _claiming(defs)
    run = Normaliser(defs, claim, work, {})
    made = _merged(root, run, claim, work)
    return made if run.work >= 0 else None


def _merged(
    root: Raw,
    run: Normaliser,
    claim: Callable[[str], str],
    size: int,
    again: AbstractSet[str] = frozenset(),
) -> ir.Graph:
    top, final = run.run(root)
    if run.made or again:
        top, final = united(top, final, run.made | again)
    spliced = {**_once(run.made, top, final), **_aliases(final)}
    top, final = _possible(top, final, spliced, claim, size)
    top, named = hoist(top, reached(top, final), claim)
    return ir.Graph(top, ordered(top, named))


def _possible(
    top: ir.Node,
    final: dict[str, ir.Node],
    spliced: dict[str, ir.Node],
    claim: Callable[[str], str],
    size: int,
) -> tuple[ir.Node, dict[str, ir.Node]]:
    """Write `spliced` definitions in place, and spread what became impossible."""
    fresh = bool(spliced)
    for name in endless(final):
        n = final[name]
        if type(n) is not ir.Never:
            final[name] = ir.Never("a value would hold another one without an end", n.ann, n.at)
    while True:
        empty = {name: n for name, n in final.items() if type(n) is ir.Never}
        more = {name: n for name, n in (empty | _aliases(final)).items() if name not in spliced}
        spliced.update(more)
        if not (fresh or more):
            return top, final
        top, final = Normaliser(final, claim, size, spliced).run(top)
        fresh = False


def _once(made: set[str], root: ir.Node, defs: Mapping[str, ir.Node]) -> dict[str, ir.Node]:
    """Choose the merged definitions that one place uses: they read better there."""
    if not made:
        return {}
    count: dict[str, int] = {}
    found = reached(root, defs, count)
    return {name: found[name] for name in made if count.get(name) == 1}
