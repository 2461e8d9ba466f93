"""Habits of other languages, and of plain English, that a line of a game file may show.

A habit is a pattern on the line at which the reading stopped, and what its group ``old`` becomes. It is a repair like
any other (:mod:`zermelo.grammar.syntax_diagnosis`): it counts only if the parser then gets further, so a pattern may be
generous.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.names import as_name
from zermelo.grammar.words import NAMES

Written = Callable[["re.Match[str]"], str]


@frozen(eq=False, repr=False)
class Habit(ByValue):
    """``new`` is a template for :meth:`re.Match.expand`, or a function from the match to the new text. If the line may
    mean something else, it is not ``safe`` to make the edit unasked; if that is just as likely, the edit is not
    ``certain`` enough to be offered."""

    pattern: str
    new: str | Written
    message: str
    help: str
    certain: bool = True
    safe: bool = True


def _separate_by(sign: str) -> Written:
    """A function that puts this sign between items that are listed with commas or spaces."""
    return lambda match: sign.join(part for part in re.split(r"[\s,;/]+", match["in"].strip()) if part)


def _optional_type(match: re.Match[str]) -> str:
    """The type with ``?``, which admits ``none``."""
    return f"{match['in']}?" if match["in"].isidentifier() else f"({match['in']})?"


def _quantifier_text(match: re.Match[str]) -> str:
    """The quantifier for Python's ``any(f(x) for x in S)``."""
    word = {"any": "some"}.get(match["word"], match["word"])
    return f"({word} {match['name']} in {match['set'].strip()}: {match['body'].strip()})"


def _in_brackets(value: str) -> str:
    """A factor or divisor, in brackets if it needs them."""
    return value if re.fullmatch(r"[\w.]+", value) else f"({value})"


_STATEMENT: Final = r"(?:^|:)\s*"
_PLACE: Final = r"(?P<place>[^\W\d]\w*(?:\[[^\[\]]*\])*(?:\.\w+)*)"
_VALUE: Final = r"(?P<in>[^\s#;](?:[^#;]*[^\s#;])?)"
_END: Final = r"\s*(?:#|$)"

_COMMENT: Final = "'//' divides; a comment begins with '#'"
_NO_LISTS: Final = "there are sets, and no lists"

_CHOICE: Final = r"(?P<old>(?P<yes>{0}+?) if (?P<test>{0}+?) else (?P<no>{0}+?))"
_CHOICE_OF_C: Final = r"(?P<old>(?P<test>[^#?]+?)\s*\?\s*(?P<yes>[^#?:]+?)\s*:\s*(?P<no>[^#?:]+?))"
_CHOSEN: Final = r"if \g<test> then \g<yes> else \g<no>"
_HOW_TO_CHOOSE: Final = "what a choice depends on comes first", "write 'if ... then ... else ...'"

HABITS: Final = (
    Habit(r"^\s*(?P<old>//)", "#", _COMMENT, "write '#'"),
    Habit(r"(?P<old>//)(?=\s*[A-Za-z]+(?: [a-z]+){2,}[^=:;]*$)", "#", _COMMENT, "write '#'"),
    Habit(r"(?P<old>//)(?=[^/]*[A-Za-z])", "#", _COMMENT, "write '#'", safe=False),
    Habit(
        r"(?P<old>/\*(?P<in>[^#]*?)\s*\*/)\s*$",
        r"#\g<in>",
        "a comment begins with '#', and ends with the line",
        "write '#'",
    ),
    Habit(
        rf"{_STATEMENT}(?P<old>{_PLACE}\s*\*=\s*{_VALUE}\s*;?){_END}",
        lambda match: f"{match['place']} := {match['place']} * {_in_brackets(match['in'])}",
        "there is no '*='",
        "write ':=' and '*'",
    ),
    Habit(
        rf"{_STATEMENT}(?P<old>{_PLACE}\s*/=\s*{_VALUE}\s*;?){_END}",
        lambda match: f"{match['place']} := {match['place']} / {_in_brackets(match['in'])}",
        "there is no '/='",
        "write ':=' and '/', or '//' to round down",
        certain=False,
    ),
    Habit(rf"(?:=|\bwin)\s*{_CHOICE.format('[^#:]')}{_END}", _CHOSEN, *_HOW_TO_CHOOSE),
    Habit(rf"[(,]\s*{_CHOICE.format('[^#:(),]')}\s*[,)]", _CHOSEN, *_HOW_TO_CHOOSE),
    Habit(rf"=\s*{_CHOICE_OF_C}{_END}", _CHOSEN, *_HOW_TO_CHOOSE),
    Habit(
        r"(?P<old>\b(?P<word>sum|all|any|some|count|min|max)\s*\((?P<body>[^#]+?) for (?P<name>\w+) in "
        r"(?P<set>[^()#]+(?:\([^()#]*\))?)\))",
        _quantifier_text,
        "what the members of a set are called comes first",
        "write the name and the set, a colon, and then the rest",
    ),
    Habit(
        r"^language(?P<old>\s*[:=]?\s*[\"']?v?(?P<in>\d+)[\"']?)\s*(?:#|$)",
        r" \g<in>",
        "the language of a file is a number",
        "write the number alone",
    ),
    Habit(
        r"^(?P<old>(?P<who>hidden|private|public)\s+(?P<in>var\b[^#]*?))\s*(?:#|$)",
        r"\g<in> \g<who>",
        "who sees a variable is said at the end",
        "write it at the end of the line",
    ),
    Habit(
        r'^(?:\s*(?:move|outcome)|var) \w+(?P<old>(?P<in>[(\[][^#"]*[)\]])\s*(?P<shown>"[^"]*"))',
        r" \g<shown>\g<in>",
        "what people are shown in place of a name stands right behind it",
        "write it before the brackets",
    ),
    Habit(
        r"\bchance(?P<old>\s*@[^:#]*)(?=:)",
        "",
        "chance has no label: a label joins nodes that a player cannot tell apart",
        "leave it out",
    ),
    Habit(
        r"\bseen by (?P<old>(?P<in>\w+(?:\s*,\s*\w+)+))",
        r"{\g<in>}",
        "those who see a variable are a set",
        "write { and }",
    ),
    Habit(
        r"^(?:\s*(?:move|outcome)|define|action|phase) \w+(?P<old>\(\s*\))",
        "",
        "without arguments there are no brackets",
        "leave them out",
    ),
    Habit(
        r'(?P<old>"(?:[^"\\]|\\.)*\\"(?:[^"\\]|\\.)*")',
        lambda match: '"' + match["old"][1:-1].replace('\\"', "'") + '"',
        'a text has no " in it',
        "write ' in its place",
        safe=False,
    ),
    Habit(r"(?P<old>\s*\{)\s*$", ":", "blocks are indented under a colon, without braces", "write ':'"),
    Habit(r"\bgo(?P<old> to)\b", "", "'to' is not needed here", "leave it out"),
    Habit(r"(?P<old>\s+to\s+)", "..", "a range is written low..high", "write '..'"),
    Habit(
        r"(?:\bin|[:=(,])\s*(?P<old>\[(?P<in>[^\[\],]+\.\.[^\[\],]+)\])(?=\s*(?:[=:),#?]|$|if\b))",
        r"\g<in>",
        "a range has no brackets",
        "leave the brackets out",
    ),
    Habit(
        r"(?P<old>\[(?P<in>[^\[\]]*\.\.[^\[\]]*)\])",
        r"(\g<in>)",
        "a range has no brackets",
        "write ( and )",
        safe=False,
    ),
    Habit(r"(?P<old>\[(?P<in>[^\[\]]*)\])", r"{\g<in>}", "sets have braces", "write { and }", safe=False),
    Habit(
        r"\b(?:move|outcome) \w+\([^)]*?\b\w+(?P<old>\s*:\s*)", " in ", "what a move chooses is in a set", "write 'in'"
    ),
    Habit(
        r"^(?:phase|action|define) \w+\([^)]*?\b\w+(?P<old> in )",
        ": ",
        "a parameter has a type, after a colon",
        "write ':'",
    ),
    Habit(
        r"^(?:phase|action|define) \w+\([^)]*?\b(?P<old>(?P<type>[A-Z]\w*) (?P<in>[a-z]\w*))(?=\s*[,)])",
        r"\g<in>: \g<type>",
        "a parameter has a type, after a colon",
        "write the name first, then ':' and the type",
    ),
    Habit(
        r"\b(?:move|outcome) \w+\([^)]*?\b(?P<old>(?P<set>[A-Z]\w*) (?P<in>[a-z]\w*))(?=\s*[,)])",
        r"\g<in> in \g<set>",
        "what a move chooses is in a set",
        "write the name first, then 'in' and the set",
    ),
    Habit(
        r"^players(?P<old>\s*=?\s*[\[({](?P<in>[\w\s,]+)[\])}])",
        r" \g<in>",
        "players are listed without brackets",
        "leave the brackets out",
    ),
    Habit(r"^players(?P<old>\s*=)", "", "no '=' comes here", "leave it out"),
    Habit(
        r"^players?\s+(?P<old>(?P<in>[\"'].*[\"']))",
        lambda match: re.sub(r"[\"']([^\"']*)[\"']", lambda quoted: as_name(quoted[1]), match["in"]),
        "players have names, without quotes",
        "leave the quotes out",
    ),
    Habit(
        r"^players\s+(?P<old>(?P<in>\w+ +\d+(?:\s*,\s*\w+ +\d+)*))\s*(?:#|$)",
        lambda match: re.sub(r"(?<=\w) +(?=\d)", "_", match["in"]),
        NAMES,
        "write '_' for a space",
        safe=False,
    ),
    Habit(r"^players .*?(?P<old>,? and )", ", ", "names have commas between them", "write ','"),
    Habit(r"^(?:players|game|start|claim)(?P<old>:)", "", "no colon comes here", "leave it out"),
    Habit(
        r"^game\s+(?P<old>(?P<in>[^\"'#\n]+?))\s*$", r'"\g<in>"', "the title is a text in quotes", 'write " around it'
    ),
    Habit(r"(?:^\s*|:\s*)(?P<old>)(?:win|draw|payoff)\b", "end ", "only 'end' ends a play", "write 'end' before it"),
    Habit(r"\bend(?P<old>\s*:)\s*(?:win|draw|payoff|by)\b", "", "no colon comes after 'end'", "leave it out"),
    Habit(r"\bend(?P<old> (?:the )?(?:game|play|over))\b", "", "'end' alone ends a play", "leave it out"),
    Habit(r"(?P<old>\b(?P<in>\w+) wins\b)", r"end win \g<in>", "nobody has won until the play ends", "write 'end win'"),
    Habit(
        r"\bpayoffs?\s*(?P<old>\((?P<in>[^()]*:[^()]*)\))",
        r"{\g<in>}",
        "what each player gets is in braces",
        "write { and }",
    ),
    Habit(
        r"\bpayoffs?\s+(?P<old>(?P<in>\w+\s*:[^:#{}]+(?:,\s*(?:other )?\w+\s*:[^:#{}]+)*?))\s*(?:#|$)",
        r"{\g<in>}",
        "what each player gets is in braces",
        "write { and }",
    ),
    Habit(r"\bpayoff \w+(?P<old>\s*=\s*)", ": ", "what a player gets comes after a colon", "write ':'"),
    Habit(
        r"\bpayoffs?\s+(?P<old>(?P<in>-?[\w/.]+(?:\s*,\s*-?[\w/.]+)+|-?\d[\d/.]*(?:\s+\d[\d/.]*)+))\s*(?:#|$)",
        lambda match: re.sub(r"\s*,\s*|\s+", ", ", f"({match['in']})"),
        "the payoffs of several players stand in brackets",
        "write ( and )",
    ),
    Habit(
        r"\bpayoffs?\s*(?P<old>\{[^{}]*=[^{}]*\})",
        lambda match: re.sub(r"\s*==?\s*", ": ", match["old"]),
        "each player is followed by a colon and what they get",
        "write ':'",
    ),
    Habit(r"\bend (?P<old>winner|wins|won by|victory for)\b", "win", "who has won comes after 'win'", "write 'win'"),
    Habit(
        r"\bend (?P<old>loses?(?P<other> other)? (?P<in>\w+))",
        lambda match: f"win {match['in']}" if match["other"] else f"win other {match['in']}",
        "an end says who has won",
        "write 'win'",
    ),
    Habit(r"(?:=|\bin|:)\s*\d+(?P<old>\s*-\s*)\d+", "..", "a range is written low..high", "write '..'"),
    Habit(
        r"(?P<old>\bfrom\s+(?P<low>\S+)\s+to\s+(?P<high>[^\s),:]+))",
        r"in \g<low>..\g<high>",
        "a range is written low..high",
        "write 'in' and '..'",
    ),
    Habit(
        r"\boutcome \w+(?:\([^)]*\))?(?P<old>\s*:\s*(?P<in>(?:prob|weight)\s+\S+))\s",
        r" \g<in>:",
        "a probability comes before the colon",
        "write it before ':'",
    ),
    Habit(
        r"\boutcome \w+(?:\([^)]*\))? (?P<old>with)\s+[\d(.]",
        "prob",
        "a probability comes after 'prob'",
        "write 'prob'",
    ),
    Habit(r"(?P<old>\bwith probability\b)", "prob", "a probability comes after 'prob'", "write 'prob'"),
    Habit(r"\bprob (?P<old>(?P<in>\d+)\s*%)", r"\g<in>/100", "a probability is a fraction", "write a fraction"),
    Habit(
        r"(?P<old>\b(?:chance turn|turn (?:of|for) chance))\s*:",
        "chance",
        "chance draws, and has no turn",
        "write 'chance'",
    ),
    Habit(r"(?P<old>\bthe )(?:other|next)\b", "", "'the' is not needed here", "leave it out"),
    Habit(r"^\s*turn(?P<old> of| for)\b(?! chance)", "", "the player comes right after 'turn'", "leave it out"),
    Habit(
        r"\btogether(?P<old>\s+(?:(?:all|every|each|both) )?[Pp]layers?)\s*:",
        " p in Player",
        "who chooses is said as in 'together p in Player'",
        "write 'p in Player'",
        safe=False,
    ),
    Habit(
        r"\b(?:move|outcome) \w+(?P<old>\((?P<in>[^()#]*?)\s+if\s+(?P<test>[^#]*)\))(?=\s*(?::|prob\b|weight\b))",
        r"(\g<in>) if \g<test>",
        "what must hold for a move comes behind its brackets",
        "write 'if' behind ')'",
    ),
    Habit(
        r"\b(?:move|outcome) \w+(?:\([^#]*\))?(?P<old>\s*:\s*if)\b(?=[^#]*:\s*(?:#|$))",
        " if",
        "what must hold for a move comes before the colon",
        "leave the first colon out",
    ),
    Habit(
        r"\b(?:move|outcome) \w+(?:\([^)]*\))? (?P<old>where|provided|only if)\b",
        "if",
        "what must hold for a move comes after 'if'",
        "write 'if'",
    ),
    Habit(
        r"\bmove \w+\([^)]*\)(?P<old> )(?!if |prob |weight |secret |ensuring |(?:hidden|private|public)\b)[^:]*:",
        " if ",
        "what must hold for a move comes after 'if'",
        "write 'if'",
    ),
    Habit(
        r"(?P<old>\bhidden (?:from|to) (?P<in>\w+))(?!\s*(?:,|and\b|or\b))",
        r"seen by Player - {\g<in>}",
        "who sees a variable is said by 'seen by'",
        "write 'seen by'",
    ),
    Habit(
        r"(?P<old>\b(?:only seen by|seen only by|only visible to|visible only to)\b)",
        "seen by",
        "who sees a variable is said by 'seen by', and nobody else does",
        "write 'seen by'",
    ),
    Habit(
        r"^claim .*?(?P<old>\b(?P<first>zero|perfect|constant|common)[- ](?P<second>sum|information|payoff)\b)",
        r"\g<first>_\g<second>",
        "a claim is one word",
        "write '_'",
    ),
    Habit(r"^claim .*?(?P<old>,? and )", ", ", "claims have commas between them", "write ','"),
    Habit(
        r"^\s+(?P<old>)\w+(?:\([^()#]*\))?\s*(?:,|#|$)",
        "play ",
        "moves of a test come after 'play'",
        "write 'play' first",
    ),
    Habit(r"^expect .*?(?P<old>\bis\b)", "==", "what is expected comes after '=='", "write '=='"),
    Habit(
        r"(?P<old>\b(?!set\b)[a-z]\w* of \w+\b[^#]*)",
        lambda match: re.sub(r"\b(?!set\b)([a-z]\w*) of (\w+)", r"\1[\2]", match["old"]),
        "the entries of a variable have square brackets",
        "write [ and ]",
        safe=False,
    ),
    Habit(
        r"(?P<old>\b(?P<board>[A-Z]\w*)\.(?P<function>lines|rows|columns|diagonals|directions)\((?P<in>[^()]*)\))",
        lambda match: f"{match['function']}({', '.join(filter(None, [match['board'], match['in']]))})",
        "a function takes a board as its first argument",
        "write it in the parentheses",
    ),
    Habit(r"(?P<old>\b[Aa]ny)\s+\w+\s+in\b", "some", "whether one member fits is asked by 'some'", "write 'some'"),
    Habit(
        r"(?P<old>\b(?:[Ee]very|[Ee]ach|for all|for every))\s+\w+\s+in\b",
        "all",
        "whether all members fit is asked by 'all'",
        "write 'all'",
    ),
    Habit(
        r"(?P<old>(?P<in>\b\w+)\s*(?:\*\*|\^)\s*2\b)",
        r"(\g<in> * \g<in>)",
        "there is no sign for powers",
        "write a product",
    ),
    Habit(r"^define \w+(?:\([^)]*\))?(?P<old>\s*:)(?=\s)", " =", "'=' says what a name means", "write '='"),
    Habit(
        r"\b(?:grid|hex|ring)\s*(?P<old>\[(?P<in>[^\]]*)\])",
        r"(\g<in>)",
        "a board has its size in parentheses",
        "write ( and )",
    ),
    Habit(
        r"\b(?:grid|hex)\s*\(\s*\w+(?P<old>\s+x\s+)\w+\s*\)",
        ", ",
        "a board has its width and height in parentheses",
        "write ','",
    ),
    Habit(
        r"^\s*\w+(?P<old>\((?P<in>[^()]*)\))\s*[:+-]?=",
        r"[\g<in>]",
        "the entries of a variable have square brackets",
        "write [ and ]",
    ),
    Habit(
        r"^type \w+\s*=\s*(?P<old>(?P<in>\w+(?:\s*,\s*\w+)+))",
        _separate_by(" | "),
        "members of a type have '|' between them",
        "write '|', or '<' if they have an order",
        certain=False,
    ),
    Habit(
        r":\s*(?P<old>(?P<in>\w+|[^\s=:(),|]+\.\.[^\s=:(),|]+)\s*(?:\bor\b|\|)\s*none\b)",
        _optional_type,
        "a type of which 'none' is a value, too, ends with '?'",
        "write '?' after the type; a range stands in parentheses",
    ),
    Habit(
        r"^var .*?(?P<old>\bsecret\b|\binvisible\b)",
        "hidden",
        "what nobody sees is 'hidden'",
        "write 'hidden'",
        safe=False,
    ),
    Habit(
        r"^var .*?(?P<old>\b(?:visible|known|shown) (?:to|by)\b)",
        "seen by",
        "who sees a variable is said by 'seen by'",
        "write 'seen by'",
    ),
    Habit(
        r"(?P<old>\bsimultaneous(?:ly)?\b)",
        "together",
        "players who choose at once choose 'together'",
        "write 'together'",
    ),
    Habit(
        r"\boutcome \w+(?:\([^)]*\))?(?P<old>\s*:)\s*\d+[./]\d",
        " prob",
        "a probability comes before the colon, after 'prob'",
        "write 'prob'",
    ),
    Habit(
        r"^\s+\w+(?P<old>\s*[,/&]\s*|\s+x\s+)\w+\s*\|",
        r" \\ ",
        "the players of a table have '\\' between them",
        "write '\\'",
    ),
    Habit(r"\|\s*-?[\w/.]+(?P<old>\s*;)", ",", "payoffs have commas between them", "write ','"),
    Habit(r"^\s+(?P<old>\|\s*)\w[^|#]*\|", "", "'|' stands between the cells of a row alone", "leave it out"),
    Habit(r"\|[^|#]*(?P<old>\s*\|)\s*(?:#|$)", "", "'|' stands between the cells of a row alone", "leave it out"),
    Habit(r"(?P<old>\b(?P<in>\w+)\[\])", r"set of \g<in>", _NO_LISTS, "write 'set of'", safe=False),
    Habit(r"(?P<old>\b(?:list|array|bag|sequence) of\b)", "set of", _NO_LISTS, "write 'set of'", safe=False),
    Habit(
        r"(?:[=:(]|\b(?:if|and|or|not)\b)\s*(?P<old>(?P<set>\w+(?:\[[^\[\]]*\])?) contains (?P<in>\w+))"
        r"(?![\w.(\[]|\s*[-+*/%.])",
        r"\g<in> in \g<set>",
        "membership is asked by 'in'",
        "write 'in'",
    ),
    Habit(
        r"(?P<old>\b(?P<set>\w+)\.(?:remove|discard|delete)\((?P<in>.*)\))\s*$",
        r"\g<set> -= {\g<in>}",
        "members leave a set by '-='",
        "write '-= {...}'",
    ),
    Habit(
        r"(?P<old>\b(?P<set>\w+)\.add\((?P<in>.*)\))\s*$",
        r"\g<set> += {\g<in>}",
        "members join a set by '+='",
        "write '+= {...}'",
    ),
    Habit(
        r"(?P<old>\b(?P<set>\w+)\.(?:append|push|insert)\((?P<in>.*)\))\s*$",
        r"\g<set> += {\g<in>}",
        f"members join a set by '+='; {_NO_LISTS}",
        "write '+= {...}'",
        safe=False,
    ),
)
"""The habits, the most telling first."""
