r"""Formats as patterns that match the whole text; those that are not exactly the format let in more, never less.

date  ->  ^\d{4}-...$     with the days of each month, and leap years
"""

from __future__ import annotations

from typing import Final

_HEX: Final = "[0-9A-Fa-f]"
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_GROUP: Final = f"{_HEX}{{1,4}}"
_TAIL: Final = f"(?:{_GROUP}:{_GROUP}|{_IPV4})"
_DATE: Final = (
    "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
)
_TIME: Final = (
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?"
    "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def _ipv6() -> str:
    """Eight groups, of which `::` stands for one or more."""
    arms = [f"(?:{_GROUP}:){{6}}{_TAIL}"]
    for before in range(6):
        after = 5 - before
        head = "" if not before else f"(?:{_GROUP}(?::{_GROUP}){{0,{before - 1}}})?"
        arms.append(f"{head}::{f'(?:{_GROUP}:){{{after}}}' if after else ''}{_TAIL}")
    arms.append(f"(?:{_GROUP}(?::{_GROUP}){{0,5}})?::{_GROUP}")
    arms.append(f"(?:{_GROUP}(?::{_GROUP}){{0,6}})?::")
    return "|".join(arms)


_LABEL: Final = "[0-9A-Za-z](?:[0-9A-Za-z-]{0,61}[0-9A-Za-z])?"
_ATOM: Final = "[0-9A-Za-z!#$%&'*+/=?^_`{|}~-]+"
_QUOTED: Final = r'"(?:[^"\\]|\\[\s\S])*"'
_PERCENT: Final = f"%{_HEX}{{2}}"
_USER: Final = rf"(?:[0-9A-Za-z._~!$&'()*+,;=:-]|{_PERCENT})*"
_NAME: Final = rf"(?:[0-9A-Za-z._~!$&'()*+,;=-]|{_PERCENT})*"
_AUTHORITY: Final = rf"(?:{_USER}@)?(?:\[[0-9A-Za-z._~!$&'()*+,;=:-]+\]|{_NAME})(?::[0-9]*)?"
_PATH_CHAR: Final = rf"(?:[0-9A-Za-z._~!$&'()*+,;=:@-]|{_PERCENT})"
_PATH: Final = f"(?:/{_PATH_CHAR}*)*"
_REST: Final = f"(?:{_PATH_CHAR}|[/?])*"
_STEPS: Final = "(?:/(?:[^~/]|~[01])*)*"
_DAY_TIME: Final = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DAYS: Final = "(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"

FORMATS: Final = {
    "date": f"^{_DATE}$",
    "time": f"^{_TIME}$",
    "date-time": f"^{_DATE}[Tt]{_TIME}$",
    "duration": f"^P(?:{_DAYS}(?:{_DAY_TIME})?|{_DAY_TIME}|[0-9]+W)$",
    "uuid": f"^{_HEX}{{8}}(?:-{_HEX}{{4}}){{3}}-{_HEX}{{12}}$",
    "ipv4": f"^{_IPV4}$",
    "ipv6": f"^(?:{_ipv6()})$",
    "email": rf"^(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Za-z:.]+\])$",
    "hostname": rf"^{_LABEL}(?:\.{_LABEL})*$",
    "uri": rf"^[A-Za-z][0-9A-Za-z+.-]*:(?://{_AUTHORITY}{_PATH}|/(?:{_PATH_CHAR}+{_PATH})?|(?:{_PATH_CHAR}+{_PATH})?)(?:\?{_REST})?(?:#{_REST})?$",
    "json-pointer": f"^{_STEPS}$",
    "relative-json-pointer": f"^(?:0|[1-9][0-9]*)(?:#|{_STEPS})$",
}
"""The formats that are said, and how."""
