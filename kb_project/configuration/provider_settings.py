"""Settings of the providers of models, and of what is asked of them. `kb_project.settings` takes them all over."""

from kb_project.configuration.environment import env, running_stack
from kb_project.configuration.local_model_file import has_local_model

ANTHROPIC_API_KEY = env.str("ANTHROPIC_API_KEY", default="")
ANTHROPIC_BASE_URL = env.str("ANTHROPIC_BASE_URL", default="")
# Chains such as "anthropic,openai,extractive", tried in order. Empty: anthropic when there is a key, else the last.
KB_CLASSIFIER = env.str("KB_CLASSIFIER", default="")  # anthropic, openai, rules
KB_EXPANDER = env.str("KB_EXPANDER", default="")  # anthropic, openai, none
KB_ANSWERER = env.str("KB_ANSWERER", default="")  # anthropic, openai, extractive
KB_CHECKER = env.str("KB_CHECKER", default="")  # anthropic, openai, none
KB_AMENDER = env.str("KB_AMENDER", default="none") or "none"  # anthropic, openai, none
KB_LLM_BASE_URL = env.str("KB_LLM_BASE_URL", default="")  # of `openai`: any server that speaks OpenAI's chat API
KB_LLM_API_KEY = env.str("KB_LLM_API_KEY", default="")
KB_LLM_MODEL = env.str("KB_LLM_MODEL", default="")
KB_LLM_DAILY_TOKENS = env.int("KB_LLM_DAILY_TOKENS", default=0)  # of a topic in a day; 0: as many as it likes
KB_CLASSIFIER_MODEL = env.str("KB_CLASSIFIER_MODEL", default="") or "claude-haiku-5-5"
KB_ANSWER_MODEL = env.str("KB_ANSWER_MODEL", default="") or "claude-sonnet-5-5"
KB_ANSWER_TIMEOUT_S = env.float("KB_ANSWER_TIMEOUT_S", default=120.0)  # of one answer, the whole chain and its retries
KB_ANSWER_STALL_S = env.float("KB_ANSWER_STALL_S", default=60.0)  # of one silence of the model
KB_ANSWER_CACHE_S = env.int("KB_ANSWER_CACHE_S", default=0)  # how long a model's answer is given again; 0: never
KB_LEAST_SIMILARITY = env.float("KB_LEAST_SIMILARITY", default=2.0)  # cosine that is evidence by itself; 2: none is
KB_SYNONYMS = env.bool("KB_SYNONYMS", default=True)  # whether searches use those that come with the languages
KB_TRACE_DAYS = env.int("KB_TRACE_DAYS", default=30)  # how long traces of answers and counts of searches are kept
KB_TABLE_CONCURRENCY = env.int("KB_TABLE_CONCURRENCY", default=5)  # cells of tables at a time, over all workers
KB_CHECK_DAYS = env.int("KB_CHECK_DAYS", default=7)  # how long checks of texts are kept; 0: not at all
KB_CHECKER_MODEL = env.str("KB_CHECKER_MODEL", default="") or "claude-sonnet-5-5"
KB_CHECKER_TIMEOUT_S = env.float("KB_CHECKER_TIMEOUT_S", default=30.0)  # of one vote on a statement, the whole chain
KB_AMENDER_MODEL = env.str("KB_AMENDER_MODEL", default="") or "claude-sonnet-5-5"
KB_AMENDER_TIMEOUT_S = env.float("KB_AMENDER_TIMEOUT_S", default=20.0)  # what a person waits for a proposal at most
KB_EXPANSION_MODEL = env.str("KB_EXPANSION_MODEL", default="") or "claude-haiku-5-5"
KB_EXPANSION_TIMEOUT_S = env.float("KB_EXPANSION_TIMEOUT_S", default=3.0)  # what a search waits for it at most
KB_CLASSIFY_TIMEOUT_S = env.float("KB_CLASSIFY_TIMEOUT_S", default=45.0)  # of one classification, all tries included
KB_CLASSIFY_CONCURRENCY = env.int("KB_CLASSIFY_CONCURRENCY", default=5)  # calls at a time, over all workers
KB_EMBEDDER = env.str("KB_EMBEDDER", default="") or ("local" if has_local_model() else "hashing")
# Where that model answers: noted by `manage.py up`, or a service of one's own.
KB_LOCAL_EMBEDDER_URL = env.str("KB_LOCAL_EMBEDDER_URL", default="") or running_stack().get(
    "embedder_url", "http://127.0.0.1:8090/v1"
)
KB_EMBEDDING_MODEL = env.str("KB_EMBEDDING_MODEL", default="")
KB_EMBEDDING_DIMENSION = env.int("KB_EMBEDDING_DIMENSION", default=0)
KB_EMBEDDING_BASE_URL = env.str("KB_EMBEDDING_BASE_URL", default="")
KB_EMBEDDING_API_KEY = env.str("KB_EMBEDDING_API_KEY", default="")
KB_EMBEDDING_CONCURRENCY = env.int("KB_EMBEDDING_CONCURRENCY", default=4)  # requests of one worker at a time
KB_RERANKER = env.str("KB_RERANKER", default="") or "none"  # http, sentence-transformers
KB_RERANKER_URL = env.str("KB_RERANKER_URL", default="")
KB_RERANKER_MODEL = env.str("KB_RERANKER_MODEL", default="")
KB_RERANKER_API_KEY = env.str("KB_RERANKER_API_KEY", default="")
KB_RERANKER_TIMEOUT_S = env.float("KB_RERANKER_TIMEOUT_S", default=2.0)  # what a search waits for it at most
KB_RERANKER_PASSAGES = env.int("KB_RERANKER_PASSAGES", default=32)  # that it reads, of each search
KB_ALLOW_LINK_LOCAL = env.bool("KB_ALLOW_LINK_LOCAL", default=False)  # a provider's address may be a metadata service's
