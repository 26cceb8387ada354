r"""Tell what an ECMA-262 pattern uses, and spell it for an engine that reads patterns differently; nothing here matches.

    xyz    read as a search    ^[\s\S]*xyz[\s\S]*$    the same strings when the whole text must match

A pattern is parsed into a tree (`grammar`, `nodes`), the tree is judged (`facts`) and rewritten (`whole`, `spell`,
`reading`), and written (`write`). What other languages mean by `.`, `\d` or `$` is data (`languages`).
"""

from __future__ import annotations

from wireshape.regex.facts import FEATURES, facts
from wireshape.regex.languages import reads_as_written, refused
from wireshape.regex.reading import as_search
from wireshape.regex.spell import rewritten, spell
from wireshape.regex.strict import with_strict_patterns

__all__ = [
    "FEATURES",
    "as_search",
    "features",
    "reads_as_written",
    "refused",
    "rewritten",
    "spell",
    "with_strict_patterns",
]


def features(pattern: str) -> frozenset[str]:
    r"""Name the features of `pattern`, out of `FEATURES`; one that does not parse is `invalid`, a huge one `too-large`.

    >>> sorted(features(r"^(?=a)\bx+?$"))
    ['anchor', 'lazy', 'lookahead', 'word-boundary']
    """
    return facts(pattern).features
