"""The walk of the URL conf, which other tests here rely on, misses nothing."""

from tests.security.paths import every_path


def test_every_named_path_has_an_address() -> None:
    # The end of /admin/kb/, and of Django's admin: its catch-all, a redirect, and the lists of an app.
    nameless = {path.name for path in every_path() if not path.path}
    assert nameless == {r"^admin/kb(/|$)", "<path:object_id>/", "(?P<url>.*)$", "admin:app_list"}


def test_paths_of_each_kind_are_among_them() -> None:
    found = {path.path for path in every_path()}
    assert {"/", "/kb/search", "/admin/login/", "/review/", "/library/1/", "/metrics", "/i18n/setlang/"} <= found
    assert len(found) > 120
