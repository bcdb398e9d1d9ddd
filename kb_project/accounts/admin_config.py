"""Django's admin as this project installs it, with its own site."""

from django.contrib.admin.apps import SimpleAdminConfig


class KnowledgeBaseAdminConfig(SimpleAdminConfig):
    """The modules `admin` of apps are loaded by who serves the site, or checks it."""

    default_site = "kb_project.accounts.admin_site.KnowledgeBaseSite"
