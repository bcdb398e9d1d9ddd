"""The classifier that asks a language model, with a schema for the answer and one deadline for everything."""

import hashlib
import json
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pydantic

from ingest.stages.classify.proposal import (
    BUDGET_SPENT,
    CLASSIFIER_AWAY,
    CLASSIFIER_FAILED,
    FIELDS,
    ClassificationFailed,
    RawProposal,
    cancelled,
)
from kb_project.errors import ProviderError
from kb_project.llm.asking import Cancelled, ask
from kb_project.llm.protocol import LanguageModel, ModelRequest
from kb_project.llm.roles import CLASSIFICATION
from kb_project.llm.spending import BudgetSpent
from law.metadata.head import DocumentHead, LabelName, RawEvidence
from sources import fields
from sources.kinds import SourceKind

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 8192  # what the model thinks before it answers counts too
MAX_RETRIES = 2  # by the client, which heeds Retry-After; then `ingest.stages.classify.stage` tries again

KindName = StrEnum("KindName", [(kind.name, kind.value) for kind in SourceKind])  # type: ignore[misc]
FieldName = StrEnum("FieldName", [(name.upper(), name) for name in FIELDS])  # type: ignore[misc]


class LabelAnswer(pydantic.BaseModel):
    slug: str | None = None
    name: str | None = None


class EvidenceAnswer(pydantic.BaseModel):
    field: FieldName
    page: int | None = None
    quote: str


def _readable(items: Any) -> Any:
    """Those of the evidence that can be read: one that names no field costs itself, not the answer."""
    return [item for item in items if _is_evidence(item)] if isinstance(items, list) else items


def _is_evidence(item: Any) -> bool:
    try:
        EvidenceAnswer.model_validate(item)
    except pydantic.ValidationError:
        return False
    return True


_VALUES: dict[str, Any] = {
    field.name: ((KindName if field.type is fields.FieldType.KIND else str) | None, None) for field in fields.FIELDS
}
Answer: type[pydantic.BaseModel] = pydantic.create_model(
    "Answer",
    __doc__=(
        "The schema of the answer. Lengths and dates are left to `suggestions`: here they would cost the whole answer."
    ),
    **_VALUES,
    labels=(list[LabelAnswer], []),
    evidence=(Annotated[list[EvidenceAnswer], pydantic.BeforeValidator(_readable)], []),
)


class ModelClassifier:
    """One call of a language model for each document."""

    def __init__(self, model: LanguageModel) -> None:
        model.load()  # here, because it takes seconds, and only workers with a model need it
        self.provider, self._model = model.provider, model

    def classify(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> RawProposal:
        """Ask the model, within `deadline_s` seconds, its client's retries included."""
        request = ModelRequest(system=(PROMPT,), parts=request_parts(document), form=Answer, max_tokens=MAX_TOKENS)
        try:
            answer = ask(
                self._model,
                request,
                role=CLASSIFICATION.name,
                topic=document.topic,
                timeout_s=deadline_s,
                retries=MAX_RETRIES,
                is_unwanted=is_unwanted,
            )
        except Cancelled:
            raise cancelled() from None
        except ProviderError as error:
            raise ClassificationFailed(
                error.detail,
                retryable=error.retryable,
                code=CLASSIFIER_AWAY if error.retryable else CLASSIFIER_FAILED,
            ) from error
        except BudgetSpent as error:
            raise ClassificationFailed(error.detail, retryable=False, code=BUDGET_SPENT) from error
        except Exception as error:  # any other error also sends the document to review
            raise ClassificationFailed(
                f"The call of the classifier failed ({type(error).__name__}).", retryable=False
            ) from error
        return self._proposal(answer)

    def _proposal(self, answer: pydantic.BaseModel) -> RawProposal:
        given = answer.model_dump(mode="json")
        labels, evidence = given.pop("labels"), given.pop("evidence")
        return RawProposal(
            provider=self.provider,
            model=self._model.name,
            prompt_version=PROMPT_VERSION,
            **given,
            labels=tuple(LabelName(slug=label["slug"] or "", name=label["name"] or "") for label in labels),
            evidence=tuple(RawEvidence(**item) for item in evidence),
        )


def request_parts(document: DocumentHead) -> tuple[str, str]:
    """The user turn: topic and existing labels, the same for a whole batch, then the document between markers.

    The code in the markers is a hash of the document, so no document can contain them.
    """
    code = hashlib.sha256(f"{document.filename}\0{document.text}".encode("utf-8", "replace")).hexdigest()[:16]
    known = [
        f"Topic of the knowledge base: {_json(document.topic)}",
        "Existing labels:",
        *(_label_lines(document) or ["(none yet)"]),
    ]
    untrusted = [
        f"----- BEGIN UNTRUSTED DOCUMENT {code} -----",
        f"File name: {_json(document.filename)}",
        *_page_lines(document, code),
        f"----- END UNTRUSTED DOCUMENT {code} -----",
        "",
        "Propose the metadata of the document between the markers.",
    ]
    return "\n".join(known), "\n".join(untrusted)


def _label_lines(document: DocumentHead) -> list[str]:
    return [_json({"slug": label.slug, "name": label.name}) for label in document.labels]


def _page_lines(document: DocumentHead, code: str) -> Iterable[str]:
    for page in document.pages:
        name = "TEXT, WITHOUT PAGE NUMBERS" if page.number is None else f"PAGE {page.number}"
        yield f"----- {name} {code} -----"
        yield page.text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
