"""Paths of agents that act for a person. Without `KB_OAUTH` all of them are 404."""

from django.urls import path

from topics.oauth import endpoints, screens

urlpatterns = [
    path(".well-known/oauth-authorization-server", endpoints.ServerMetadata.as_view(), name="oauth-server"),
    path(
        ".well-known/oauth-protected-resource/mcp/<str:topic_slug>/",
        endpoints.ResourceMetadata.as_view(),
        name="oauth-resource-with-slash",
    ),
    path(
        ".well-known/oauth-protected-resource/mcp/<str:topic_slug>",
        endpoints.ResourceMetadata.as_view(),
        name="oauth-resource",
    ),
    path("oauth/authorize/", screens.authorize, name="oauth-authorize"),
    path("oauth/register", endpoints.Register.as_view(), name="oauth-register"),
    path("oauth/token", endpoints.Token.as_view(), name="oauth-token"),
    path("oauth/revoke", endpoints.Revoke.as_view(), name="oauth-revoke"),
    path("account/agents/", screens.agents, name="agents"),
    path("account/agents/<int:connection_id>/revoke/", screens.revoke, name="agent-revoke"),
]
