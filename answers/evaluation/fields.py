"""What a question is given as: in a body of the API, and in a line of a file."""

from typing import Any

from rest_framework import serializers

from answers.evaluation.questions import MAX_PROVISIONS, MAX_WORDS_LENGTH
from kb_project.api.strict import StrictSerializer
from search.retrieval import MAX_QUERY_LENGTH
from sources.provisions import MAX_EID_LENGTH


class ProvisionInput(StrictSerializer):
    source_id = serializers.IntegerField()
    eid = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_EID_LENGTH, help_text="Without it the whole document is right."
    )


class QuestionFields(StrictSerializer):
    question = serializers.CharField(max_length=MAX_QUERY_LENGTH)
    words = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_WORDS_LENGTH, help_text="What the quote must hold."
    )
    nothing_answers = serializers.BooleanField(
        required=False, help_text="Whether no answer is right; then nothing must be cited."
    )


class QuestionInput(QuestionFields):
    provisions = serializers.ListField(
        child=ProvisionInput(), required=False, max_length=MAX_PROVISIONS, help_text="Any of them is right."
    )

    def validate_provisions(self, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """In a PATCH nothing is required of a provision by itself either."""
        if any("source_id" not in one for one in given):
            raise serializers.ValidationError("A provision needs the id of its document.")
        return given


class FiledProvision(ProvisionInput):
    """In a file a document may have its title in place of the id, which differs between installations."""

    source_id = serializers.IntegerField(required=False)
    title = serializers.CharField(required=False, allow_blank=True, max_length=2_000)


class FiledQuestion(QuestionFields):
    provisions = serializers.ListField(child=FiledProvision(), required=False, max_length=MAX_PROVISIONS)
