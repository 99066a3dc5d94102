"""What kind of answer a question asks for, and whether a sentence holds one. Soft cues, never conditions."""

from __future__ import annotations

import re
from enum import StrEnum

from pincite.agent.extractive.words import fold, words


class AnswerKind(StrEnum):
    """What an answer should hold."""

    number = "number"
    duration = "duration"
    date = "date"
    name = "name"
    open = "open"


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


_ASKS_DURATION = _any(
    r"\bhow (?:long|soon|often|quickly|fast|late|early)\b",
    r"\bby when\b",
    r"\b(?:notice|retention|warranty|renewal|storage|holding) (?:period|term)\b|\bduration\b",
    r"\bwie (?:lange|oft|schnell)\b",
    r"\b(?:combien de temps|quel delai)\b",
    r"\bcuanto tiempo\b|\bquanto tempo\b|\bhoe lang\b",
    r"多久|多长时间|どのくらい|كم من الوقت|المدة",
)
_ASKS_NUMBER = _any(
    r"\bhow (?:much|many|high|large|big|small|low|far|old|tall|deep|wide|heavy|great)\b",
    r"\bwhat (?:number|amount|percentage|percent|share|proportion|rate|size|sum)\b",
    r"\b(?:charge|fee|cost|price|limit|rate|percentage|maximum|minimum|salary|premium)s?\b",
    r"\bwie (?:viel|viele|hoch|gross|weit|alt|tief|breit|schwer)\b|\bwieviele?\b",
    r"\bcombien\b|\bcuant[oa]s?\b|\bquant[oaie]\b|\bhoeveel\b|\bquantos\b",
    r"多少|几|幾|いくつ|いくら|何人|كم",
)
_ASKS_DATE = _any(
    r"\bwhen\b|\b(?:what|which|on what) (?:date|day|year|month|century|time)\b|\bcut-?off time\b|\bdate of\b",
    r"\bthe date\b|\bwann\b|\bin welchem (?:jahr|jahrhundert|monat)\b|\bquand\b|\bquelle (?:date|annee)\b",
    r"\bcuando\b|\bquando\b|\bwanneer\b|\ben que (?:ano|fecha|siglo)\b",
    r"什么时候|什麼時候|何时|何時|哪年|哪一年|いつ|متى|في اي عام|في أي عام",
)
_ASKS_NAME = _any(
    r"\bwho(?:m|se)?\b|\bwhich (?:person|people|company|party|parties|officer|committee)\b",
    r"\bwhich (?:country|city|state|river)\b",
    r"\bwhere\b|\bwhat (?:is the name|are the names|was the name|country|city|state|river|company)\b",
    r"\bthe parties\b|\bwer\b|\bwem\b|\bwen\b|\bwo\b|\bqui\b|\bquien(?:es)?\b|\bchi\b|\bwie heisst\b",
    r"谁|誰|哪里|哪裡|哪个|どこ|من هو|أين|اين",
)
_NEEDS_DATE = _any(
    r"\bsince when\b|\b(?:what|which) (?:date|year|month|century)\b",
    r"\bseit wann\b|\bdepuis quand\b|\bdesde cuando\b|\bda quando\b|\bsinds wanneer\b",
)
_WHY = re.compile(
    r"(?:and |but |und |aber |et |y |e )?(?:why|warum|wieso|weshalb|pourquoi|por que|perche|waarom)"
)
_REASON = _any(
    r"\b(?:because|reasons?|due to|owing to|therefore|in order to|so that|so as to|hence|thus)\b",
    r"\b(?:weil|wegen|damit|deshalb|daher|denn|aufgrund|grunde?|um .* zu)\b",
    r"\b(?:parce que|car|afin|raisons?|porque|para que|por ello|perche|affinche|omdat|zodat)\b",
)
_COMPARES = re.compile(
    r"\b(?:which|what) (?:\w+ ){1,5}?(?:has|have|had|is|are|was|were|\w+s) (?:\w+ )?the "
    r"(?P<most>(?:most|least)(?= \w)|lowest|highest|largest|smallest|biggest|longest|shortest|cheapest|oldest"
    r"|newest|best|worst|fewest|greatest|latest|earliest|lightest|heaviest|strictest|safest|riskiest)\b"
    r"(?P<by>[^,;?]*)"
)
_TIME_UNIT = _any(
    r"\b(?:second|minute|hour|day|week|month|quarter|year|decade|centur(?:y|ie))s?\b",
    r"\b(?:sekunde|minute|stunde|tag|woche|monat|quartal|jahr|jahrzehnt|jahrhundert)(?:e|en|es|n|s|er)?\b",
    r"\b(?:jour|semaine|mois|an|annee|heure|dia|semana|mes|mese|ano|anno|hora|ora|giorn[oi])s?\b",
    r"\b(?:dag|dagen|maand|maanden|jaar|jaren|weken)\b",
    r"年|月|日|天|周|週|小时|時間|分钟|يوم|ايام|أيام|شهر|سنة|سنوات|عام|ساعة",
    r"\b(?:annual|month|quarter|year|week|dai|immediate|prompt)ly\b|\bperpetual\b|\bindefinite",
)
_CALENDAR = _any(
    # "may" is a month beside a number or behind a preposition only
    r"\bmay\s+\d|\d(?:st|nd|rd|th)?\s+(?:of\s+)?may\b|\b(?:in|since|of|until|by|from|each|every)\s+may\b",
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    r"\b(?:januar|februar|marz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout)\b",
    r"\b(?:septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto)\b",
    r"\b(?:septiembre|octubre|noviembre|diciembre|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    r"\b(?:1\d|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b|\b\d{1,2}(?:st|nd|rd|th)\b",
    # a day or time that comes again, or that is counted from another
    r"\b(?:each|every|per)\s+(?:day|week|month|quarter|year)\b",
    r"\b(?:first|second|third|fourth|fifth|last|next|following|same|later|earlier)\s+(?:(?:working|business|"
    r"calendar|dealing|trading|financial)\s+)?(?:day|week|month|quarter|year)\b",
    r"\d年|\d月|世纪|世紀|\bcentury\b|\bjahrhundert\b|\bsiecle\b|\bsiglo\b|القرن|عام",
)
_NUMBER_WORD = _any(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty)\b",
    r"\b(?:seventy|eighty|ninety|hundred|thousand|million|billion|half|third|quarter|nil|none|zero|dozen)s?\b",
    r"\b(?:zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|dreissig|hundert|tausend|halfte)\b",
    r"\b(?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|vingt|trente|cent|mille)\b",
    r"\b(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cien|mil)\b",
    r"[一二三四五六七八九十百千万两]|اثنين|ثلاث|أربع|خمس|عشر|مائة|ألف|مليون",
)
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_MID_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)(?<![A-Za-z])[^\W\d_a-z][\w&.'’-]+")
_CASELESS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def asked_kind(question: str) -> AnswerKind:
    """The kind of answer that the words of a question point to; `open` when none does."""
    text = fold(question)
    if _ASKS_DURATION.search(text):
        return AnswerKind.duration
    if _ASKS_DATE.search(text):
        return AnswerKind.date
    if _ASKS_NAME.search(text):
        return AnswerKind.name
    if _ASKS_NUMBER.search(text):
        return AnswerKind.number
    return AnswerKind.open


def needs_date(question: str) -> bool:
    """Whether only a day, year or time can answer ("since when"); "when" also asks for a condition."""
    return bool(_NEEDS_DATE.search(fold(question)))


def may_reply(question: str, sentence: str) -> bool:
    """Whether a sentence may reply to "why?" alone: it gives a reason. True for any other question."""
    return not _WHY.fullmatch(fold(question).strip(" ?!.¿")) or bool(_REASON.search(fold(sentence)))


def compared(question: str) -> tuple[str, str] | None:
    """What things are compared by ("Which fund has the lowest ongoing charge?"): (superlative, words behind).

    None for a question that compares nothing.
    """
    match = _COMPARES.search(fold(question))
    return (match["most"], match["by"]) if match else None


def holds_kind(kind: AnswerKind, sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence holds something of that kind that the question, with the terms `asked`, does not."""
    if kind is AnswerKind.open:
        return True
    if kind is AnswerKind.name:
        return _holds_name(sentence, asked)
    text = fold(sentence)
    numbers = [word.term for word in words(sentence) if word.term[:1].isdigit() and word.term not in asked]
    numeric = bool(numbers) or bool(_NUMBER_WORD.search(text))
    if kind is AnswerKind.number:
        return not all(map(_YEAR.fullmatch, numbers)) or bool(_NUMBER_WORD.search(text))
    if kind is AnswerKind.date:
        return any(fold(found[0]) not in asked for found in _CALENDAR.finditer(text))
    return (numeric and bool(_TIME_UNIT.search(text))) or bool(_CALENDAR.search(text))


def _holds_name(sentence: str, asked: frozenset[str]) -> bool:
    if _CASELESS.search(sentence):
        return True
    found = (fold(match[0].rstrip(".'’-")) for match in _MID_NAME.finditer(sentence))
    return any(name not in asked and not (name == "may" or _CALENDAR.fullmatch(name)) for name in found)
