"""Pick a built-in row by provider and model name, from the patterns that the rows themselves state; it compiles nothing.

[models]
providers = ["openai"]      names by which the provider is called
allow = ["o3*"]             globs of model names, all by default
deny = ["o3-pro*"]          globs of model names that the row does not serve
no_tools = ["gpt-audio*"]   globs of model names that it does not serve in tools
apis = ["live"]             the only APIs that it serves
no_forced_tool = ["o9*"]    globs of model names that refuse a request which demands one tool
output_and_tools = ["g3*"]  globs of model names that take a form of the output beside tools, all by default

The last two hold for the rows that extend this one, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from wireshape.api import Delivery
from wireshape.codes import CODES
from wireshape.dialect import Dialect, builtin, dialect, dialects
from wireshape.dialect_apis import apis_of
from wireshape.errors import DialectError, expect


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which models of which providers a row serves; lists of globs, matched in lower case."""

    providers: tuple[str, ...] = ()
    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    no_tools: tuple[str, ...] = ()
    apis: tuple[str, ...] = ()
    no_forced_tool: tuple[str, ...] = ()
    output_and_tools: tuple[str, ...] = ("*",)

    def fit(self, model: str) -> int:
        """Tell how closely the row names a model: the characters of its closest glob, -1 when it does not serve it."""
        if _matches(model, self.deny):
            return -1
        return max([len(glob.replace("*", "")) for glob in self.allow if fnmatchcase(model, glob)], default=-1)  # fmt: skip


def _matches(model: str, globs: tuple[str, ...]) -> bool:
    return any([fnmatchcase(model, glob) for glob in globs])


def models_of(name: str) -> Models:
    """Return which models a built-in row serves; a row does not inherit this.

    >>> models_of("xai-strict").providers
    ('xai', 'x-ai', 'grok')
    """
    return Models(**{word: tuple(globs) for word, globs in builtin(name).get("models", {}).items()})


def delivery_for(row: Dialect, model: str | None) -> Delivery:
    """Return how schemas ride in a request for a model: as the row says, save for what the model is listed not to take.

    >>> delivery_for(dialect("anthropic-strict"), "claude-opus-5-5").forced_tool
    False
    >>> delivery_for(dialect("gemini-json-schema"), "gemini-2.5-pro").output_beside_tools
    False
    """
    if model is None or row.id not in dialects():
        return row.delivery
    delivery, name = row.delivery, model.lower()
    refuses = _matches(name, _listed(row.id, "no_forced_tool", ()))
    takes_both = _matches(name, _listed(row.id, "output_and_tools", ("*",)))
    return replace(
        delivery,
        forced_tool=delivery.forced_tool and not refuses,
        output_beside_tools=delivery.output_beside_tools and takes_both,
    )


def _listed(name: str, word: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The globs that a row states, or its nearest parent."""
    row = builtin(name)
    if word in row.get("models", {}):
        return tuple(row["models"][word])
    return _listed(row["extends"], word, otherwise) if "extends" in row else otherwise


def dialect_for(provider: str, model: str, api: str | None = None) -> Dialect:
    """Pick the built-in row for a model of a provider.

    `api` is a carrier ("output", "tool", "prompt") or an API that rows of the provider name ("chat", "live", "interactions");
    a row that is for some APIs only is picked for these. Of the rows that serve the
    model, a strict one is preferred to a relaxed one, then the one that names the model most closely, then the one with
    more carriers. A model that nothing is known about gets what most of the provider's models get. An unknown provider or API,
    or a model that no row of the provider serves in this way, raises `DialectError`, which lists what there is.

    >>> dialect_for("openai", "gpt-5.2").id, dialect_for("openai", "ft:gpt-4.1:acme::x").id
    ('openai-strict', 'openai-finetuned-strict')
    >>> dialect_for("google", "gemini-3-pro", api="live").id
    'gemini-openapi'
    """
    expect("provider", provider, str, "the name of a provider")
    expect("model", model, str, "the name of a model")
    who, wanted = _plain(provider), model.lower()
    rows = [(name, models_of(name)) for name in dialects()]
    mine = [(name, models) for name, models in rows if who in models.providers]
    if not mine:
        known = sorted({p for _, models in rows for p in models.providers})
        what = f"no row serves the provider {provider!r}"
        raise _error(what, f"known are {', '.join(known)}")
    _known_api(api, mine)
    best: tuple[bool, bool, int, int] | None = None
    found: Dialect | None = None
    for name, models in mine:
        row, fit = dialect(name), models.fit(wanted)
        if fit < 0 or not _serves(row, models, wanted, api):
            continue
        rank = (bool(models.apis), row.strict, fit, len(row.carriers))
        if best is None or rank > best:
            best, found = rank, row
    if found is None:
        of = "" if api is None else f" in {api!r}"
        what = f"no row of {provider!r} serves {model!r}{of}"
        rest = f"its rows are {', '.join([name for name, _ in mine])}"
        raise _error(what, f"{rest}; a prompt can carry 'tools-lenient'")
    return found


def _known_api(api: str | None, mine: Sequence[tuple[str, Models]]) -> None:
    """Refuse an API that is no carrier, and that no row of the provider knows."""
    expect("api", api, (str, type(None)), "the name of an API, or None")
    if api is None or api in _CARRIERS or any([api in models.apis for _, models in mine]):
        return
    stated = [one.name for name, _ in mine for one in apis_of(dialect(name))]
    if api not in stated:
        known = dict.fromkeys([*_CARRIERS, *stated, *[one for _, m in mine for one in m.apis]])
        what = f"no row of this provider has the API {api!r}"
        raise _error(what, f"use {', '.join(known)}")


_CARRIERS = ("output", "tool", "grammar", "prompt")


def _serves(row: Dialect, models: Models, model: str, api: str | None) -> bool:
    if models.apis:
        return api in models.apis
    if api == "tool" and _matches(model, models.no_tools):
        return False
    return api not in _CARRIERS or api in row.carriers


def _plain(provider: str) -> str:
    return provider.lower().replace("_", "-").replace(" ", "-")


def _error(what: str, remedy: str) -> DialectError:
    return DialectError(CODES["WS704"].template.format(what=what, remedy=remedy), code="WS704")
