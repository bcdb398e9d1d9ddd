"""Django's admin as this project installs it, with its own site."""

from django.contrib.admin.apps import AdminConfig


class KnowledgeBaseAdminConfig(AdminConfig):
    default_site = "kb_project.accounts.admin_site.KnowledgeBaseSite"
