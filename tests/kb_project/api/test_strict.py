"""Parameters that do not exist, or are not of their type, are refused; nothing is ignored or bent into shape."""

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers
from rest_framework.test import APIClient

from kb_project.api.strict import StrictSerializer

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]


def post(text: Any, content_type: str = "application/json", path: str = "/kb/echo") -> Any:
    return APIClient().generic("POST", path, text, content_type=content_type)


def assert_refused(response: Any, code: str = "invalid", *fields: str) -> dict[str, Any]:
    problem: dict[str, Any] = response.json()
    assert response.status_code == 400, problem
    assert response["Content-Type"] == "application/problem+json"
    assert problem["code"] == code, problem
    assert set(fields) <= set(problem.get("errors", {})), problem
    return problem


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", "שלום"),
        ("number", -5),
        ("number", 2**63 - 1),
        ("ratio", 1),
        ("flag", False),
        ("day", "2024-02-29"),
        ("day", None),
        ("kind", "law"),
        ("numbers", [1, 2]),
        ("items", [{"name": "a"}]),
    ],
)
def test_a_value_of_the_right_type_is_taken(field: str, value: Any) -> None:
    response = post(json.dumps({field: value}))
    assert response.status_code == 201
    assert response.json()[field] == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", 5),
        ("text", True),
        ("text", ["a"]),
        ("text", None),
        ("text", "a\0b"),
        ("text", "\ud800"),
        ("number", "5"),
        ("number", True),
        ("number", 5.5),
        ("number", 2**63),
        ("number", -(2**63) - 1),
        ("number", 10**400),
        ("number", [5]),
        ("number", {}),
        ("ratio", "1.5"),
        ("ratio", True),
        ("ratio", 10**400),
        ("flag", "true"),
        ("flag", 1),
        ("flag", "maybe"),
        ("day", "2024-02-30"),
        ("day", "20240229"),
        ("day", "2024-2-29"),
        ("day", "٢٠٢٤-02-29"),
        ("day", "0000-01-01"),
        ("day", "2024-02-29T00:00:00Z"),
        ("day", 20240229),
        ("batch", 5),
        ("batch", "6f2c3f4e"),
        ("batch", "{12345678-1234-1234-1234-123456789012}"),
        ("kind", "statute"),
        ("kind", ["law"]),
        ("kind", "\ud800"),
        ("numbers", "12"),
        ("numbers", {"0": 1}),
        ("numbers", [1, "2"]),
        ("numbers", [2**63]),
        ("items", "a"),
        ("items", ["a"]),
        ("items", [{"name": 5}]),
    ],
)
def test_a_value_of_another_type_is_refused(field: str, value: Any) -> None:
    problem = assert_refused(post(json.dumps({field: value})))
    assert all(name.split(".")[0] == field for name in problem["errors"])


def test_members_of_a_list_that_is_too_long_are_not_looked_at() -> None:
    problem = assert_refused(post(json.dumps({"numbers": ["x"] * 51})), "invalid", "numbers")
    assert problem["errors"]["numbers"] == ["Ensure this field has no more than 50 elements."]


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "[", "nul", "{'a': 1}", '{"text": NaN}', '{"ratio": 1e999}', '{"ratio": -1e999}', "\ufeff{}"],
)
def test_text_that_is_not_json_is_refused(text: str) -> None:
    response = post(text)
    if text == "":
        assert response.status_code == 201  # no body at all is an empty one, and no field is required here
    else:
        assert_refused(response)


@pytest.mark.parametrize("text", ["[]", '["text"]', '"text"', "5", "true", "null", '[{"text": "a"}]'])
def test_json_that_is_not_an_object_is_refused(text: str) -> None:
    assert_refused(post(text))


@pytest.mark.parametrize("raw", [b"\xff\xfe{}", b'{"text": "\xff"}', b'{"te\xedxt": 1}', b"\x00"])
def test_bytes_that_are_not_utf8_are_refused(raw: bytes) -> None:
    assert_refused(post(raw))


def test_a_charset_beside_json_is_not_followed() -> None:
    assert post('{"text": "שלום"}'.encode(), "application/json; charset=hex").json()["text"] == "שלום"


def test_endless_nesting_is_refused() -> None:
    assert_refused(post("[" * 100_000))
    assert_refused(post('{"text":' * 30_000))  # 240 KB: more is refused for its size


def test_endless_digits_are_refused() -> None:
    assert_refused(post('{"number": ' + "9" * 100_000 + "}"))
    assert_refused(APIClient().get("/kb/echo?number=" + "9" * 5000))


def test_a_name_given_twice_in_json_is_refused() -> None:
    assert "twice" in assert_refused(post('{"text": "a", "text": "b"}'))["detail"]


@pytest.mark.parametrize("name", ["texts", "Text", "", "text ", "__proto__", "a\0b", "\ud800", "x" * 10_000, "שם"])
def test_an_unknown_field_of_the_body_is_named(name: str) -> None:
    problem = assert_refused(post(json.dumps({"text": "a", name: 1})), "unknown_parameter")
    assert len(problem["errors"]) == 1
    assert len(problem["detail"]) < 200


def test_an_unknown_field_of_a_nested_object_is_named() -> None:
    assert_refused(post('{"items": [{"name": "a", "nmae": "b"}]}'), "unknown_parameter", "nmae")


@pytest.mark.parametrize("query", ["nope=1", "number=1&nope", "format=json", "text=a&%00=1", "%ff=1", "text[]=a"])
def test_an_unknown_query_parameter_is_refused(query: str) -> None:
    assert_refused(APIClient().get(f"/kb/echo?{query}"), "unknown_parameter")


def test_an_unknown_parameter_is_told_before_a_wrong_value() -> None:
    assert_refused(APIClient().get("/kb/echo?number=x&nope=1"), "unknown_parameter", "nope")


def test_a_query_string_beside_a_body_is_refused() -> None:
    assert_refused(post("{}", path="/kb/echo?number=1"), "unknown_parameter", "number")


def test_text_of_the_right_form_is_taken_from_a_query_string() -> None:
    query = "number=-5&flag=true&day=2024-02-29&numbers=1&numbers=2&text=&ratio=1.5"
    assert APIClient().get(f"/kb/echo?{query}&batch=6F2C3F4E-0000-0000-0000-000000000000").json() == {
        "number": -5,
        "flag": True,
        "day": "2024-02-29",
        "numbers": [1, 2],
        "text": "",
        "ratio": 1.5,
        "batch": "6f2c3f4e-0000-0000-0000-000000000000",
    }


@pytest.mark.parametrize(("text", "flag"), [("True", True), ("False", False), ("1", True), ("0", False)])
def test_flags_are_taken_as_clients_write_them(text: str, flag: bool) -> None:
    assert APIClient().get(f"/kb/echo?flag={text}").json() == {"flag": flag}


@pytest.mark.parametrize(
    "query",
    [
        "number=",
        "number=x",
        "number=5.0",
        "number=%2B5",
        "number=+5",
        "number=%D9%A5",
        "number=1e3",
        "number=0x1",
        "number=9223372036854775808",
        "flag=",
        "flag=tRUE",
        "flag=yes",
        "numbers=x",
        "numbers=",
        "batch=",
        "kind=",
        "day=yesterday",
        "text=%00",
        "text=a&text=b",
        "number=1&number=1",
        "topic_id=",
        "ratio=nan",
        "ratio=inf",
    ],
)
def test_text_of_another_form_is_refused(query: str) -> None:
    assert_refused(APIClient().get(f"/kb/echo?{query}"), "invalid", query.partition("=")[0])


def test_an_empty_text_means_null_where_null_is_allowed() -> None:
    assert APIClient().get("/kb/echo?day=").json() == {"day": None}


def test_a_form_is_as_strict_as_a_query_string() -> None:
    client = APIClient()
    assert client.post("/kb/echo", {"number": "5", "numbers": ["1", "2"]}, format="multipart").json() == {
        "number": 5,
        "numbers": [1, 2],
    }
    assert_refused(client.post("/kb/echo", {"number": "five"}, format="multipart"), "invalid", "number")
    assert_refused(client.post("/kb/echo", {"nope": "5"}, format="multipart"), "unknown_parameter", "nope")
    assert_refused(client.post("/kb/echo", {"number": ["5", "6"]}, format="multipart"), "invalid", "number")


def test_a_broken_form_is_refused() -> None:
    assert_refused(post(b"abc", "multipart/form-data"))
    assert_refused(post(b"abc", "multipart/form-data; boundary=\xe9"))


def test_a_path_without_parameters_refuses_query_and_body() -> None:
    client = APIClient()
    assert client.delete("/kb/echo").status_code == 204
    assert client.generic("DELETE", "/kb/echo", "{}", content_type="application/json").status_code == 204
    assert_refused(client.delete("/kb/echo?force=1"), "unknown_parameter", "force")
    refused = client.generic("DELETE", "/kb/echo", '{"force": 1}', content_type="application/json")
    assert_refused(refused, "unknown_parameter", "force")


def test_a_body_of_another_type_is_415() -> None:
    response = post("<a/>", "text/xml")
    assert response.status_code == 415
    assert response.json()["code"] == "unsupported_type"


def test_a_body_that_is_too_large_is_413(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = post(json.dumps({"text": "a" * 200}))
    assert response.status_code == 413
    assert response.json()["code"] == "too_large"


def test_too_many_query_parameters_are_413(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3
    response = APIClient().get("/kb/echo?" + "&".join(f"p{n}=1" for n in range(5)))
    assert response.status_code == 413
    assert response.json()["code"] == "too_large"


def test_one_answer_names_all_wrong_fields() -> None:
    problem = assert_refused(post('{"number": "x", "flag": 2}'), "invalid", "number", "flag")
    assert "1 more" in problem["detail"]


def test_json_is_answered_whatever_is_accepted() -> None:
    for accept in ("text/html", "image/png", "*/*;q=x", "a" * 9000):
        response = Client().get("/kb/echo", headers={"accept": accept})
        assert (response.status_code, response["Content-Type"]) == (200, "application/json")


def below(one: type[StrictSerializer]) -> Iterator[type[StrictSerializer]]:
    for kind in one.__subclasses__():
        yield kind
        yield from below(kind)


def state(field: serializers.Field) -> dict[str, Any]:
    """What a field has of its own, but for the way up, with what is below it."""
    own = {name: value for name, value in vars(field).items() if name not in ("parent", "child", "fields")}
    parts = {"child": field.child} if hasattr(field, "child") else dict(getattr(field, "fields", {}))
    return {**{name: repr(value) for name, value in own.items()}, **{name: state(one) for name, one in parts.items()}}


def test_no_field_keeps_what_a_request_gave() -> None:
    """All requests share the fields, at the same time too."""
    import_module("kb_project.urls")
    kinds = [one for one in below(StrictSerializer) if one.__module__.partition(".")[0] != "tests"]
    assert len(kinds) > 50
    values = ["x", "2024-01-01", 7, True, None, [], ["x"], [{"name": "x"}], {"name": "x"}]
    for kind in kinds:
        fields = kind().fields
        assert kind().fields is fields
        for at in (values[:4], values):  # what is only made when it is first needed is there then
            before = {name: state(field) for name, field in fields.items()}
            for value in at:
                kind(data=dict.fromkeys(fields, value)).is_valid()
        assert {name: state(field) for name, field in fields.items()} == before, kind
