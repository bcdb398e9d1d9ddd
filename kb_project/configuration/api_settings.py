"""Settings of the API and of its OpenAPI document. `kb_project.settings` takes them all over."""

from kb_project.configuration.environment import env

KB_PUBLIC_REQUIRES_KEY = env.bool("KB_PUBLIC_REQUIRES_KEY", default=False)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "topics.authentication.ApiKeyAuthentication",
        "topics.authentication.StaffSessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["kb_project.api.permissions.StaffMay"],
    "DEFAULT_RENDERER_CLASSES": ["kb_project.api.json_bodies.QuickJSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["kb_project.api.json_bodies.StrictJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "kb_project.api.json_bodies.FirstRenderer",
    "DEFAULT_PAGINATION_CLASS": "kb_project.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "kb_project.api.openapi.ProblemAutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.str("KB_THROTTLE_ANON", default="300/min"),
        "reading": env.str("KB_THROTTLE_READING", default="300/min"),
        "search": env.str("KB_THROTTLE_SEARCH", default="300/min"),
        "ask": env.str("KB_THROTTLE_ASK", default="30/min"),
        "check": env.str("KB_THROTTLE_CHECK", default="30/min"),
        "register": env.str("KB_THROTTLE_REGISTER", default="20/h"),
    },
    "EXCEPTION_HANDLER": "kb_project.api.problem.exception_handler",
    "NUM_PROXIES": 0,  # the server has already put a trusted proxy's word in the place of the address
    "UNICODE_JSON": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Legal knowledge base",
    "DESCRIPTION": "Upload, review, search and cite legal and regulatory documents, topic by topic.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "kb_project.api.openapi_files.add_files",
    ],
    # Fields of one name with other values: each set needs a name of its own.
    "ENUM_NAME_OVERRIDES": {
        "JobStatusEnum": "ingest.job_states.JobStatus.choices",
        "KindEnum": "sources.kinds.SourceKind.choices",
        "ProvisionKindEnum": "search.shown.serializers.PROVISION_KINDS",
        "ReferenceStatusEnum": "reading.references.api.STATUSES",
        "ReferenceWhyEnum": "reading.references.api.REASONS",
        "VersionStatusEnum": "sources.validity.ValidityStatus.choices",
        "CheckStatusEnum": "answers.models.CheckStatus.choices",
        "CitationVerdictEnum": "answers.checking.verdicts.findings.CitationVerdict.choices",
        "QuotationVerdictEnum": "answers.checking.verdicts.findings.QuotationVerdict.choices",
        "StatementVerdictEnum": "answers.checking.verdicts.findings.StatementVerdict.choices",
        "WhyEnum": "answers.checking.verdicts.findings.NotChecked.choices",
        "NoteKindEnum": "keeping.models.NoteKind.choices",
        "NotebookItemKindEnum": "keeping.matters.api.KINDS",
        "StandingStatusEnum": "keeping.notebooks.serializers.STATUSES",
        "HighlightStatusEnum": "keeping.highlights.placing.HighlightStatus.choices",
        "InstructionStatusEnum": "reading.amendments.api.STATUSES",
        "OutcomeEnum": "answers.checking.api.OUTCOMES",
        "AmendmentActionEnum": "reading.amendments.api.ACTIONS",
        "ColumnKindEnum": "keeping.models.ColumnKind.choices",
        "CellStatusEnum": "keeping.models.CellStatus.choices",
        "CellDecisionEnum": "keeping.tables.serializers.CELL_DECISIONS",
        "CellReasonEnum": "keeping.tables.reading.document.CellReason.choices",
        "SurveyReasonEnum": "keeping.surveys.serializers.REASONS",
        "DeliveryStatusEnum": "ingest.webhooks.models.DeliveryStatus.choices",
    },
}
