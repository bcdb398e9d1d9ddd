"""`/admin/kb/evaluation`: the questions of a topic whose right answer is known."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from answers.evaluation import questions
from answers.evaluation.transfer import QuestionInput
from answers.models import EvaluationQuestion
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import body, forbid_body, query_params
from topics.scoping import TopicFirst, limits, narrowed, require_topic


class ProvisionOut(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    eid = serializers.CharField(help_text="Empty for the whole document.")


class EvaluationSerializer(serializers.ModelSerializer[EvaluationQuestion]):
    """A question, and what its answer must cite."""

    topic_id = serializers.IntegerField()
    provisions = ProvisionOut(many=True, help_text="Any of them is right.")
    words = serializers.CharField(help_text="What the quote must hold.")
    nothing_answers = serializers.BooleanField()

    class Meta:
        model = EvaluationQuestion
        fields = ["id", "topic_id", "question", "provisions", "words", "nothing_answers"]


class NewQuestionInput(QuestionInput):
    topic_id = serializers.IntegerField(required=False, help_text="1 without it; for a pinned key always its own.")


class EvaluationList(TopicFirst, APIView):
    needs = {"GET": "answers.view_evaluationquestion", "POST": "answers.add_evaluationquestion"}

    class Query(PageQuery):
        q = serializers.CharField(required=False, allow_blank=True, max_length=200, help_text="Part of the question.")
        topic_id = serializers.IntegerField(required=False)

    @extend_schema(
        operation_id="admin_kb_evaluation_list", parameters=[Query], responses=EvaluationSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The questions, in the order in which they were made."""
        query = query_params(request, self.Query)
        found = questions.questions_within(narrowed(request, self.topic))
        if query.get("q"):
            found = found.filter(question__icontains=query["q"])
        return page_response(request, found, serializer_class=EvaluationSerializer)

    @extend_schema(
        operation_id="admin_kb_evaluation_create", request=NewQuestionInput, responses={201: EvaluationSerializer}
    )
    def post(self, request: Request) -> Response:
        """Make a question: what must be cited, or that nothing answers it."""
        given = body(request, NewQuestionInput)
        topic = require_topic(request, given.pop("topic_id", None))
        entry = questions.create(topic=topic, values=given, by=request.user.get_username())
        return Response(EvaluationSerializer(entry).data, status=status.HTTP_201_CREATED)


class EvaluationDetail(APIView):
    needs = {"PATCH": "answers.change_evaluationquestion", "DELETE": "answers.delete_evaluationquestion"}

    @extend_schema(operation_id="admin_kb_evaluation_update", request=QuestionInput, responses=EvaluationSerializer)
    def patch(self, request: Request, question_id: int) -> Response:
        """Change what is given. A question stays in its topic."""
        values = body(request, QuestionInput, partial=True)
        by, within = request.user.get_username(), limits(request)
        return Response(EvaluationSerializer(questions.change(question_id, values, by=by, within=within)).data)

    @extend_schema(operation_id="admin_kb_evaluation_delete", request=None, responses={204: None})
    def delete(self, request: Request, question_id: int) -> Response:
        """Delete a question. Runs keep what became of it."""
        forbid_body(request)
        questions.delete(question_id, by=request.user.get_username(), within=limits(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
