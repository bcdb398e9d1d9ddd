"""What English legal documents are called and how they announce themselves."""

import re

from law.languages.documents import CASELAW, CIRCULAR, LAW, REGULATION, TOOL, DocumentWords
from law.patterns import regex

_LAWS = "Acts?|Laws?|Bill|Ordinances?|Statutes?|Decrees?|Constitution|Code|Directive|Proclamation"
_GENRES: tuple[tuple[str, str], ...] = (
    (r"Codes? of (?:Conduct|Practice|Ethics)|Code of Market Conduct|Practice Notes?|Position Statements?", CIRCULAR),
    (
        r"(?:Model|Sample|Standard) (?:Contract|Agreement|Form|Letter|Clauses?)|(?:Frequently Asked )Questions|FAQs?",
        TOOL,
    ),
    (
        r"Check-?lists?|Forms?|Templates?|Tool-?kits?|Calculators?|Hand-?books?|Questionnaires?|Work-?sheets?|"
        r"Flow-?charts?",
        TOOL,
    ),
    (r"Guides?", TOOL),
    (
        r"Circulars?|Guidance(?: Notes?)?|Guidelines?|(?:Guiding )?Principles|Notices?|Polic(?:y|ies)|Manual|"
        r"Memorand(?:um|a)",
        CIRCULAR,
    ),
    (r"Bulletins?|Advisor(?:y|ies)|Instructions?|Directions?|Letter|Consultation|Recommendations?|Statement", CIRCULAR),
    (r"Regulations?|Rules?|Rule-?books?|By-?laws?|Orders?|Ordinances? of the Minister|Standing Orders", REGULATION),
    (_LAWS, LAW),
    (r"Judge?ment|Opinion|Ruling|Decision", CASELAW),
)
_OF_BENCH = (
    r"(?:(?:the )?(?:right )?hon(?:\.|ou?rable)? )?(?:[a-z-]+ ){0,2}"
    r"(?:judge|justice|lord|lady|sir|dame|master|president|recorder|registrar|magistrate|chairperson)"
)
# `Smith LJ`, `GAGELER CJ, BELL AND KEANE JJ`, `KAGAN, J.`; not `Exhibit J`.
_WITH_POST = (
    r"(?!(?:per|see|cf|as|exhibit|annex|appendix|schedule|part|table|tab|item|class|grade|section)\b)(?-i:"
    r"[A-Z][\w'’-]+(?:(?:,? (?:and|AND|&))?,? [A-Z][\w'’-]+){0,8},? (?:A?CJ|LCJ|LJJ?|JJ?A?|JSC)\b\.?,?)"
)
_INSTRUMENTS = "Acts?|Regulations?|Rules?|By-?laws?|Orders?|Ordinances?|Code|Charter|Bill"
_GENRE = tuple((regex(rf"\b(?:{pattern})\b", re.IGNORECASE), kind) for pattern, kind in _GENRES)
_DEMONSTRATIVES: tuple[tuple[str, str], ...] = (
    (
        r"(?:in|of|under|by) this (?:Act|Law|Ordinance|Code|Statute)"
        r"|this (?:Act|Law|Ordinance|Statute|Decree(?:-Law)?|Proclamation)\b",
        LAW,
    ),
    (r"th(?:ese|is) (?:Rules?|Regulations?|Rulebook|Order|By-?laws?)\b|the rules in this rulebook", REGULATION),
    (r"th(?:ese|is) (?:Supplementary )?(?:Circular|Guidance|Guidelines?|Guiding Principles|Notice|Policy|"
     r"Principles|Manual"
     r"|Memorandum|Directive|[A-Z]\w+ Policy)\b", CIRCULAR),
    (r"the (?:appellant|plaintiff|defendant|respondent|claimant|petitioner)\b|this appeal\b|this court\b", CASELAW),
    (r"this (?:Guide|Form|Checklist|Template|Toolkit|Handbook|Calculator|Worksheet)\b", TOOL),
)  # fmt: skip
_ROLE = regex(
    r",?\s*\(?\b(?:plaintiff|defendant|appellant|appellee|respondent|petitioner|claimant|applicant)"
    r"(?:\(s\)|s)?(?:[-/](?:appell(?:ant|ee)s?|respondents?))?\b\)?[.,:]?",
    re.IGNORECASE,
)
# What stands in the right column of a caption that is drawn with brackets.
_COLUMN = regex(r"(?:\s+\)|\s*[|§:])(?:\s.*|$)")
_TO_THE_DATE = (
    r"(?:[\s:,;(\[–—.-]|\b(?:on|of|the|this|in|as|at|is|was|were|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)*$"
)
_BY_WHOM = r"(?: (?:by|at) [^.;:,\d]{1,60}?)?"
# A line that says that this is a draft, and for whom. `Draft Lift Rules` is a title.
_DRAFT = (
    r"\W*(?:(?:first|second|third|final|revised|working|consultation|exposure|discussion|public) )*draft"
    r"(?:\W*$|\W+(?:for|not|version|no|v?\d\S*|subject|dated|of \d+)\b"
    r"(?!.*\b(?:act|rules?|regulations?|order|bill)\b).{0,60}$)"
    r"|for (?:public )?(?:consultation|comments?|discussion)(?: only)?$"
)
_SELF_NAMES: dict[str, str] = {
    LAW: r"(?:\w+ )?(?:Act|Law|Ordinance|Code|Statute|Directive|Decree)",
    REGULATION: r"(?:\w+ )?(?:Rules?|Regulations?|Rulebook|Order|By-?laws?)",
    CIRCULAR: r"(?:\w+ )?(?:Circular|Guidance|Guidelines?|Principles|Notice|Policy|Manual|Memorandum|Bulletin|Letter)",
    CASELAW: r"(?:judge?ment|opinion|decision|ruling|order)(?: of the court)?",
    TOOL: r"(?:\w+ )?(?:Guide|Form|Checklist|Template|Toolkit|Handbook|Calculator|Worksheet)",
}
_AUXILIARY = r",?\s*(?:(?:which )?(?:was|were|is|are|has been|have been)(?: first| duly| originally)?)?"
_HEADINGS = frozenset({
    "introduction", "definitions", "contents", "table of contents", "background", "scope", "purpose",
    "application", "interpretation", "general", "general provisions", "preamble", "summary", "overview", "aims",
    "executive summary", "glossary", "annex", "appendix", "schedule", "foreword", "preface",
    "memorandum opinion", "opinion", "judgment", "history", "notes", "statutory notes", "source", "sec",
})  # fmt: skip

DOCUMENTS = DocumentWords(
    head_ends=regex(
        r"\s(?:on|of|for|to|regarding|concerning|relating|under|in|about|from|with)\s|\s[–—-]\s|:\s", re.IGNORECASE
    ),
    citation_clause=regex(
        r"(?:Rules|Regulations|Act|Law|Order|Ordinance|Guidance|Rulebook|Code|Instrument|Circular|Decree|By-?laws)\s+"
        r"(?:may|shall|is to|are to)\s+be\s+(?:(?:cited|referred to|known)\s+as|called)\s+(?:the\s+)?[“\"‘']?"
        r"(?P<title>[A-Z](?:[^.;”\"\n″]|(?<=\bNo)\.(?= ?\d)){4,200}?)[”\"’'″]?(?=\s*(?:[.;\n]|$|"
        r"\band\s+(?:shall|comes?)\b))"
    ),
    subject_line=regex(r"(?:Subject|Re|Regarding|In re)\s*:\s*(?P<subject>\S.*)", re.IGNORECASE),
    court=regex(
        r"(?!.*\.$)(?:in the\s+)?(?:.{0,80}\b)?"
        r"(?:court|tribunal|appeals? (?:board|panel)|board of appeals?|privy council)\b",
        re.IGNORECASE,
    ),
    judgment=regex(
        r"\b(?:judge|justice|appellants?|appellees?|plaintiffs?|defendants?|respondents?|petitioners?|claimants?|"
        r"judgment|docket|"
        r"opinion of the|affirmed|case no|before:)",
        re.IGNORECASE,
    ),
    parties=regex(r"(?P<one>[A-Z].{1,120}?),?\s+(?P<versus>(?:v|vs|versus)\.?)\s+(?P<other>[A-Z].{1,120})"),
    versus_line=regex(r"[-–—\s]*(?:v\.?|vs\.?|versus|-v-|and)[-–—\s]*(?:[)|].*)?", re.IGNORECASE),
    before=regex(r"(?:^|,\s)(?:before|coram|presiding)\b\s*:?\s*", re.IGNORECASE),
    judge=regex(
        r"(?:(?:the )?hon(?:\.|ou?rable)? )?(?:(?!of\b|for\b)[a-z-]+ ){0,2}"
        r"(?:judge|justice) (?!of\b|for\b|and\b)[^.:()]{2,60}",
        re.IGNORECASE,
    ),
    of_bench=regex(rf"(?:{_OF_BENCH})\b", re.IGNORECASE),
    author=regex(
        rf"(?:(?i:{_OF_BENCH}) [A-Z][^:()\d]{{0,160}}?|(?i:{_WITH_POST}))(?::(?: ?\([^()]{{1,300}}\))?|"
        r" ?\((?=[^()]*\b(?:agree|dissent|concur))[^()]{1,300}\) ?:?|"
        r" ?\b(?:delivered the (?:opinion|judgment)|dissenting|concurring)[^.:]{0,160}\.?)"
    ),
    case_number=regex(
        r"(?:(?:\b(?:Docket|Case|Appeal|Civil Action|Claim|Cause|Petition|Application|Criminal|"
        r"Civil)(?: Case)?\s+(?:[Nn]os?\.?|Numbers?|#)\s*:?\s*|\bNo\.\s*(?=\d\d[-–]\d{2,5}\b)"
        r"|\bCases? (?=[CTF][-‑–]\d{1,4}/\d\d\b))"
        r"(?P<number>[A-Z]{0,4}[-‑–]?\d[\w./:–-]*[\w])|"
        r"(?P<whole>\[\d{4}\]\s+[A-Z]{2,8}(?:\s+\(?[A-Z][a-z]*\)?)?\s+\d{1,5}(?:\s+\([A-Z][A-Za-z]{1,8}\))?))"
    ),
    numbers=tuple(
        regex(pattern, re.IGNORECASE)
        for pattern in (
            r"\b(?:Circular|Notice|Guidance(?: Note)?|Instrument|Directive|Bulletin|Instruction|Policy|Memorandum)\s+"
            r"(?:(?:No|Nos|Number|Ref)\b\.?\s*:?\s*)?(?P<number>(?:[A-Z]{1,6}[ /-])?\d[\w./-]*)",
            r"\b(?:Ref(?:erence)?|Our ref|Document|Doc)\.?\s*(?:No\.?|Number)?\s*:\s*(?P<number>[\w./-]*\d[\w./-]*)",
            r"\bForm\s*(?:No\.?|Number)?\s*:?\s*(?P<number>[A-Z]{0,5}-?\d[\w./-]*)",
            r"(?P<number>\b(?:(?:Federal|Republic|Public) )?(?:Decree[- ])?(?:Law|Act) No\.? ?"
            r"(?:\(\d{1,5}\)|\d{1,5}(?![\d/-]))(?: of \d{4})?)",
        )
    ),
    own_numbers=tuple(
        (regex(pattern, re.IGNORECASE), form)
        for pattern, form in (
            (r",? ?(?:No\.?|Number) ?\(?(\d{1,4})\)? of (\d{4})", r"No. \1 of \2"),
            (r"((?:public|private|local) act \d{4}) no\.? (\d{1,4})", r"\1 No \2"),
            (r"No\.? ?(\d{1,4}/(?:\d{4}/)?[A-Z][\w/-]*)", r"No. \1"),
            (rf"({_LAWS}),? ?(?:No\.?|Number) ?\(?(\d{{1,4}})\)? of (\d{{4}})", r"\1 No. \2 of \3"),
        )
    ),
    gazette=regex(
        r"\W*(?:the )?(?:official|government|federal|supplement to)\s.{0,30}?(?:gazette|register|journal)\b",
        re.IGNORECASE,
    ),
    published_verb=regex(
        rf"\b(?:published|issued|filed|released|promulgated|gazetted)\b{_BY_WHOM}{_TO_THE_DATE}", re.IGNORECASE
    ),
    published_label=regex(
        r"\b(?:(?:date|day) of (?:publication|issue|issuance|promulgation)|(?:publication|issue|release) date|"
        rf"(?:date|day) (?:published|issued|filed)){_TO_THE_DATE}"
        r"|^Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),\s$",  # in the head of a message
        re.IGNORECASE,
    ),
    made_verb=regex(
        r"\b(?:enacted|made|adopted|delivered|signed|decided|entered|approved|handed down|given|done|dated|"
        rf"(?:last )?(?:updated|revised))\b{_BY_WHOM}{_TO_THE_DATE}",
        re.IGNORECASE,
    ),
    date_word=regex(r"\bdated?\b", re.IGNORECASE),
    head_label=regex(
        r"\b(?:date of (?:enactment|judge?ment|decision|signing|adoption|making|assent)|royal assent|"
        rf"(?:enactment|decision|judgment) date|dated?|"
        rf"judge?ment(?: (?:given|delivered|handed down))?|opinion|decision|order|ruling){_TO_THE_DATE}",
        re.IGNORECASE,
    ),
    own_names={
        kind: regex(rf"(?:^|[(,;–—])\s*th(?:e|is|ese) (?:{names}){_AUXILIARY}\s*$", re.IGNORECASE)
        for kind, names in _SELF_NAMES.items()
    },
    other_instrument=regex(r"\b(?:amend|repeal|revok|replac)\w*", re.IGNORECASE),
    name=regex(
        r"(?!.*\b(?:the|an?|by|under|to|in|of|for|was|were|is|are|has|have|had|that|which|and|as|amend\w*)\b)"
        rf"(?=.*(?:\d|\b(?:{'|'.join(pattern for pattern, _ in _GENRES)})\b)).{{1,60}}",
        re.IGNORECASE,
    ),
    other_day=regex(
        r"\b(?:into (?:force|operation)|effective|commenc\w+|expir\w+|valid|until|hearing|heard|argued|argument|"
        r"submitted|session|laid|current(?:ly|ness|cy)?|accessed|as (?:of|at)|appli\w+|deadline|due|amend\w+|updated|"
        r"revised|consolidated)\b",
        re.IGNORECASE,
    ),
    headings=_HEADINGS,
    furniture=tuple(
        regex(pattern, re.IGNORECASE)
        for pattern in (
            r"(?:state of israel|official gazette|(?:the )?(?:ministry|department|office) of |(?:un)?controlled copy|"
            r"statutory (?:instruments?|rules(?: and orders)?)$|(?:the )?european (?:union|communit(?:y|ies))$)",
            r"(?:(?:strictly )?(?:private (?:and|&) )?confidential|restricted|not for publication|without prejudice|"
            r"for (?:immediate release|internal use(?: only)?|official use only))$",
            _DRAFT,
            r"(?:consolidated(?: version)?$|page \d|www\.|https?:|©|copyright\W*(?:\d|by\b|$)|"
            r"published by|to:|from:|date:|ref(?:erence)?[:. ]|our ref|version[: ]|\(?ver\s?\d|table of contents$|"
            r"(?:circular|notice|memorandum)$|explanatory notes?$)",
            r"(?:circular|notice|instrument|guidance note)\s+(?:no|number|ref)\b\.?\s*:?\s*[\w./-]+$",
            # of web pages, of parliaments and of printers
            r"(?:print(?:er)?[ -](?:view|version|friendly)|(?:un)?official (?:english )?translation"
            r"|\(?english translation"
            r"|issuer|type|in force (?:from|until)|translation published|distr\.|original|status)\b.{0,60}$",
            r"(?:the )?(?:[\w-]+ ){0,2}gazette(?: of [\w ]{3,40}| supplement\b.{0,40}|,? extraordinary)?$"
            r"|extra ?ordinary$|special issue$|subsidiary legislation$"
            r"|skip to (?:main )?content|home$|search$|back to top|menu$"
            r"|part [ivx]+ ?[–—-]+ ?sec(?:tion|\.) "
            r"|(?:the )?[\w’' ]{3,40} (?:statutes?|code|laws) online$|the law revision act$|(?:the )?statutes of "
            r"|(?:acts?|ordinances?|bills?|regulations|contents?)(?:, \d{4}| supplement)?[:—–-]?(?: ?page)?$"
            r"|entitled:?$|(?:the )?(?:[\w-]+ ){0,2}(?:republic|state|kingdom|commonwealth|government) of [\w ]{3,40}$"
            r"|the (?:[\w-]+ ){0,4}(?:hundred|thousand)\b.{0,60}$|of the (?:parliament|legislature) of |agenda item "
            r"|resolution adopted by |\[on the report |\((?:non-)?legislative acts\)$|\(text with eea relevance\)$"
            r"|.{0,20}\bofficial journal of the "
            r"|united nations\b.{0,30}$"
            r"|(?:the )?(?:general assembly|security council)\b.{0,60}$|(?:[\w-]+ ){1,2}(?:section|chamber)$",
            r"(?:[\w-]+ ){1,3}(?:congress|parliament|legislature|assembly)$|(?:[\w-]+ ){1,2}(?:session|reading)$"
            r"|begun and held|passed by|printed (?:on|at|by)\b|to be purchased|\[?certified on|laws of [\w ]{3,40}$"
            r"|(?:act )?as amended by|arrangement of |version as (?:at|of)|entered into force|amended by:?(?: act|$)",
        )
    ),
    named_title=regex(
        r"(?!(?:under|made|pursuant|in|amended|see|this|an act|by|as|sections?|articles?|schedule)\b)"
        r"(?:.{0,200}[\w)] )?"
        r"(?:Act|Law|Ordinance|Code|Statutes?|Decree(?:-Law)?|Constitution|Regulations?|Rules|Order|By-?laws|Agreement|"
        r"Convention|Treaty|Charter)(?:,? (?:No\.? ?[\w()]+ of |of )?\d{4}(?: No\.? \d{1,4})?)?(?: \([^()]{1,80}\))?",
        re.IGNORECASE,
    ),
    other_title=regex(
        r"\b(?:Agreement|Convention|Treaty|Protocol|Charter|Covenant|Resolution)\b"
        r"|^(?:title|chapter) [\w.-]+(?:[.:]|\s*[–—-])",
        re.IGNORECASE,
    ),
    number_alone=regex(
        r"\W*(?:(?:act|law|ordinance|chapter|cap|title|no|number)\.?(?: no\.?| number)?"
        r"|(?:[a-z][\w-]+ ){1,3}(?:act|law|order|ordinance|bill) (?:no\.?|number)"
        r"|(?:[a-z][\w.-]+ ){1,3}regulation(?: no\.?)?(?= \d+/\d)"
        r"|federal (?:decree-)?law no\.?)"
        r" ?\(?(?:(?=\S{0,6}\d)[^\s–—]{1,12}|[IVXLC]+(?= of \d))(?: of (?:\d{4}|(?:the )?(?:\w+ )?laws(?: of \w+)?))?"
        r"(?:,? (?:dated )?\w{3,9} \d{1,2},? \d{4})?\W*",
        re.IGNORECASE,
    ),
    long_title=regex(
        r"(?:an act|a law|a bill) (?:\w+ing|to|for)\b|to (?:make|provide|amend)\b"
        r"|to \w+ .{1,250}\band for (?:other|connected) purposes",
        re.IGNORECASE,
    ),
    of_instrument=regex(
        r"an? (?:act|law|bill|ordinance|decree) (?:\w+ing|to|for)\b|be it enacted\b|arrangement of sections\b"
        r"|(?:the )?(?:[\w-]+ ){0,2}gazette\b|(?:extraordinary )?published by authority|subsidiary legislation$"
        r"|(?:\w+ )?statutory instruments?$",
        re.IGNORECASE,
    ),
    first_part=regex(
        r"(?:part|chapter|division|section|article|subchapter) (?:\d{1,3}-)?0?(?:1|I|A|one)(?![\w/-]|\.\d)",
        re.IGNORECASE,
    ),
    authority=regex(
        r"(?:the )?(?:[a-z]?[A-Z][\w’'&-]+ (?i:and |of |for |the )*){1,6}"
        r"(?i:Authority|Ministry|Bank|Agency|Commission|Department|Office|Board|Council|Market|Committee|Government|"
        r"Municipality|Parliament|Assembly)(?i: of (?:the )?[\w’'-]+(?: [\w’'-]+)?)?"
        r"|(?i:(?:[\w-]+ ){0,3}republic of(?: .{2,60})?)"
        r"|(?i:(?:the )?(?:government|president(?:cy)?|prime minister|council of ministers|cabinet|national assembly))"
        r"|(?i:(?:the )?(?:city|county|borough|town|municipality|district|province|state|republic|kingdom|commonwealth|"
        rf"government|parliament|laws|statutes) of (?!.*\b(?:{_INSTRUMENTS})\b)[^:;,.]{{2,60}})"
    ),
    collection=regex(
        r"(?:\d{4} )?(?:the )?(?:(?!of\b|and\b)[\w’'.]+ ){1,4}(?:statutes|code|laws)"
        r"(?:,? annotated| of \d{4})?(?:,? \d{4})?"
        r"|(?:\d{4} )?(?:the )?(?:[\w-]+ ){0,2}(?:statutes|code|laws) of (?:the )?[\w ]{3,40}(?:,? \d{4})?",
        re.IGNORECASE,
    ),
    volume=regex(
        r"(?:title|chapter|part|article|subtitle|subchapter|volume) (?P<number>\d[\w.-]*?|[IVXLC]+|[A-Z])[.:]?"
        r"(?:\s*[–—-]\s*|\s+|$)(?P<heading>\S.{2,120})?",
        re.IGNORECASE,
    ),
    code=regex(r"(?P<name>Title (?P<number>\d{1,3}[A-Z]?))\b[.:]?(?:\s*[–—-]\s*|\s+)[A-Z]", re.IGNORECASE),
    code_part=regex(r"(?:Part|Chapter) (?P<number>\d+[A-Z]?)\b[.:]?(?:\s*[–—-]\s*|\s+)[A-Z]", re.IGNORECASE),
    purpose=regex(
        r"(?:the )?(?:purpose|object|objective|aim)s? of (?:this|these|the)\b|"
        r"\b(?:act|law|ordinance|regulations|rules|order) to (?:make|provide|implement|amend|establish|regulate|"
        r"give)\b|"
        r"this (?:act|law|circular|guidance|guide|policy|code|rulebook|document|notice|manual|[a-z]+ policy|"
        r"supplementary guidance)"
        r"(?: \([^)]{1,60}\))? (?:is|sets?|provides?|explains?|describes?|has been|applies|establishes|contains|"
        r"makes|was|outlines)\b|"
        r"these (?:rules|regulations|principles|guidelines|[a-z]+ [a-z]+ rules)(?: \([^)]{1,60}\))? (?:apply|set|"
        r"provide|establish|contain|make)\b|"
        r"who this is for\b|"
        r"in this (?:interlocutory )?appeal\b",
        re.IGNORECASE,
    ),
    purpose_heading=regex(
        r"(?:purpose|objectives?|aims?|summary|overview|executive summary|background|introduction)$", re.IGNORECASE
    ),
    definitions_heading=regex(r"(?:definitions?|interpretation|defined terms|glossary)\b", re.IGNORECASE),
    boilerplate=regex(
        r"[“\"‘].{1,60}[”\"’]\s+(?:means|includes|has the meaning)|.{1,60}\bmeans\b|unless otherwise defined|"
        r"in these (?:rules|regulations)|in exercise of|in this (?:act|law|guidance)[,:]|the board of directors|"
        r"(?:unless|except) (?:the context|where)|words? and expressions|these (?:rules|regulations) may be cited|"
        r"they come into force|"
        r"date of|for the (?:appellant|respondent)",
        re.IGNORECASE,
    ),
    genres=_GENRE,
    role=_ROLE,
    genre_leads=False,
    genre_phrases=_GENRE[:2],
    self_references=tuple((regex(pattern, re.IGNORECASE), kind) for pattern, kind in _DEMONSTRATIVES),
    unfinished_title=r"\b(?:and|or|of|the|for|to|in|on|by|with|under|a|an|from|its|at)|[’']s",
    title_goes_on=regex(r"(?:on|concerning|regarding|respecting|relating to|governing|about)\b", re.IGNORECASE),
    title_links=regex(r"(?:Notes?\s+)?(?:(?:on|for|to|regarding|concerning|of)\s+)?", re.IGNORECASE),
    versus="v.",
    beside_party=(
        regex(r"^(?:Citation|Cited as|Indexed as)\s*:\s*", re.IGNORECASE),
        regex(r",? \d{4} [A-Z]{2,8} \d{1,5}\b.*$"),
        _COLUMN,
        _ROLE,
        regex(r"\s*\(\d{1,2}\)$"),
        regex(r"\s*\[\d{4}\] [A-Z]{2,8}\b.*$"),  # the number by which it is cited
        regex(r"^(?i:(?:in the )?(?:case|matter) of )"),
        regex(r"^.*?\bNos?\.?\s*[\w./-]*\d[\w./-]*\s*[-–:,]?\s*"),
    ),
    citing_words=frozenset({"under", "of", "in", "with", "see", "to", "by", "per"}),
    part_word="Part",
    page_word="page",
    page_count="of",
    abbreviations=(r"\bNo", r"\bNos", r"\bv"),
    shortened=r"\b(?:No|Nos|Mr|Ms|Mrs|Dr|v|vs|Art|Sec|Ltd|Inc|e\.g|i\.e|[A-Z])",
)
