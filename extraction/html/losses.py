"""What a web page shows, or keeps for a click, that is not among its paragraphs."""

from collections.abc import Callable

from selectolax.lexbor import LexborNode

from extraction.document import Losses, LostWhat, characters_of
from extraction.html.main_content import Survey, is_code, is_invisible, walk

_FIELDS = 'textarea, input[type="text"], input:not([type])'
_MIN_PICTURE = 100_000  # characters of a picture that the page itself holds. Icons and logos have fewer.
# Less hidden text than both is a label or a message of the site.
_MIN_HIDDEN_SHARE, _MIN_HIDDEN = 0.1, 500  # of the text that is shown, and in characters


def count_losses(plan: Survey, losses: Losses) -> None:
    """Count them where the document is. What is round it counts for nothing."""
    for field in _inside(plan, _FIELDS):
        typed = field.text() if field.tag == "textarea" else field.attributes.get("value")
        losses.add(LostWhat.FORM, characters_of(typed))
    for chosen in _inside(plan, "option[selected]"):
        losses.add(LostWhat.FORM, characters_of(chosen.text()))
    for ticked in _inside(plan, 'input[type="checkbox"][checked], input[type="radio"][checked]'):
        losses.add(LostWhat.FORM, 1 if ticked else 0)
    for text in _inside(plan, "svg text"):
        losses.add(LostWhat.SHAPE, characters_of(text.text()))
    for frame in _inside(plan, "iframe[srcdoc]"):
        losses.add(LostWhat.FOREIGN, characters_of(frame.attributes.get("srcdoc")))
    for picture in _inside(plan, 'img[src^="data:"]'):
        if len(picture.attributes.get("src") or "") >= _MIN_PICTURE:
            losses.add(LostWhat.PICTURE)
    hidden = sum(_words_in(node) for node in _inside(plan, "[hidden], [style], del", _is_not_shown))
    if hidden >= min(_MIN_HIDDEN, _MIN_HIDDEN_SHARE * max(1, plan.text)):
        losses.add(LostWhat.HIDDEN, hidden)


def _is_not_shown(node: LexborNode) -> bool:
    return node.tag == "del" or is_invisible(node)


def _inside(
    plan: Survey, selector: str, is_meant: Callable[[LexborNode], bool] = lambda node: True
) -> list[LexborNode]:
    """The elements in the document that are not inside of another one of these, or of what is round the document."""
    found = [node for node in plan.root.css(selector) if is_meant(node)]
    outer = {node.mem_id for node in found} | plan.boilerplate
    return [node for node in found if node.mem_id not in plan.boilerplate and not _is_within(node, outer)]


def _is_within(node: LexborNode, outer: set[int]) -> bool:
    above = node.parent
    while above is not None:
        if above.mem_id in outer:
            return True
        above = above.parent
    return False


def _words_in(node: LexborNode) -> int:
    """The characters that are no code and no link."""
    texts = (
        inner.text_content
        for inner, entering in walk(node, skip=lambda one: is_code(one) or one.tag == "a")
        if entering and inner.tag == "-text"
    )
    return characters_of(*texts)
