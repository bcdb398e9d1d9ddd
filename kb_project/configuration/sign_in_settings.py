"""Settings of the sign-in, with a password or the organisation, and of mail. `kb_project.settings` takes them over."""

from kb_project.configuration.environment import env, mail_server

# Passwords
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "kb_project.accounts.passwords.validators.CommonCoreValidator"},
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "topics.access.TopicRoles"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"  # who signs in without saying where to

# OpenID Connect (docs/sign-in.md)
KB_OIDC_ISSUER = env.str("KB_OIDC_ISSUER", default="")  # empty: not offered
KB_OIDC_CLIENT_ID = env.str("KB_OIDC_CLIENT_ID", default="")
KB_OIDC_CLIENT_SECRET = env.str("KB_OIDC_CLIENT_SECRET", default="")
KB_OIDC_SCOPES = env.list("KB_OIDC_SCOPES", default=["openid", "profile", "email"])
KB_OIDC_GROUPS_CLAIM = env.str("KB_OIDC_GROUPS_CLAIM", default="") or "groups"
KB_OIDC_ROLES = env.str("KB_OIDC_ROLES", default="")  # legal-staff=reviewer;legal-leads=manager
KB_OIDC_TOPIC_GROUPS = env.str("KB_OIDC_TOPIC_GROUPS", default="")  # tax-dept=Tax;… to groups that topics may have
KB_OIDC_ALLOWED_DOMAINS = env.list("KB_OIDC_ALLOWED_DOMAINS", default=[])  # of verified e-mail addresses; empty: any
KB_OIDC_LOCAL_ACCOUNTS = env.bool("KB_OIDC_LOCAL_ACCOUNTS", default=True)  # whether passwords still open anything
KB_OIDC_LABEL = env.str("KB_OIDC_LABEL", default="")  # what the button calls the organisation

# A second factor for whoever may do more than a reviewer, of the accounts that sign in with a password. Where it is not
# set: at their sign-ins, once one of those who manage the service has one.
KB_REQUIRE_MFA: bool | None = env.bool("KB_REQUIRE_MFA", default=None)

# Agents that act for a person, with tokens of OAuth 2.1 (docs/agents.md)
KB_OAUTH = env.bool("KB_OAUTH", default=False)

# Mail is sent for invitations, forgotten passwords and watches.
EMAIL_URL = env.str("EMAIL_URL", default="")  # smtp+tls://name:password@host:587; empty: none is sent
globals().update(mail_server("EMAIL_URL"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="")
KB_WATCH_MAIL_HOUR = env.int("KB_WATCH_MAIL_HOUR", default=7)  # of the day in TIME_ZONE, for mails once a day and week
PASSWORD_RESET_TIMEOUT = 3600  # seconds that a link works, the operator's too
