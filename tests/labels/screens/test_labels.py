"""The label screens: finding labels, making, renaming, merging and deleting them, and who may."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from kb_project.models import AuditEntry
from labels import assign, naming
from labels.models import Label
from sources.models import Source
from tests.factories import make_label, make_source, make_topic

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def put_on(name: str, *sources: Source) -> Label:
    label = make_label(name)
    for source in sources:
        assign.add(source, [label], by="test")
    return label


def page_of(client: Client, **query: str) -> str:
    answer = client.get(reverse("labels"), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_no_slug_is_shown_to_a_person(staff_client: Client, admin_client: Client) -> None:
    label = put_on("היתרי בנייה", make_source(title="Fences"))
    was = label.slug
    label = naming.rename(label.pk, "תכנון ובנייה", by="test")
    entry = AuditEntry.objects.get(action="source.labels")
    paths = ("labels/label/", "labels/labelalias/", f"kb_project/auditentry/{entry.pk}/change/")
    shown = [page_of(staff_client), *(admin_client.get(f"/admin/{path}").content.decode() for path in paths)]
    for page in map(strip_tags, shown):
        assert "היתרי בנייה" in page or "תכנון ובנייה" in page
        assert was not in page
        assert label.slug not in page


def test_a_label_is_listed_with_its_names_and_its_uses(staff_client: Client) -> None:
    other = make_topic(name="Housing")
    label = put_on("Insurance", make_source(), make_source(), make_source(topic=other))
    naming.rename(label.pk, "Insurances", by="test")
    page = page_of(staff_client)
    assert "1 label" in page
    assert f'<a class="chip" href="{reverse("library")}?label=insurances" dir="auto">Insurance</a>' in page
    assert f"?label=insurances&amp;topic={other.pk}" in page
    assert '<span dir="auto">Housing</span> <bdi>1</bdi>' in page


def test_the_search_finds_by_another_name_and_says_when_nothing_fits(staff_client: Client) -> None:
    naming.rename(make_label("Old name").pk, "שכירות", by="test")
    make_label("Insurance")
    page = page_of(staff_client, q="old na")
    assert "שכירות" in page
    assert "insurance" not in page
    assert "No label fits" in page_of(staff_client, q="nothing of the kind")
    assert page_of(staff_client, q="x\x00y" * 99)


def test_those_that_are_known_in_a_topic_are_listed_alone(staff_client: Client) -> None:
    housing = make_topic(name="Housing")
    put_on("Insurance", make_source())
    put_on("Rent", make_source(), make_source(topic=housing))
    page = page_of(staff_client, topic=str(housing.pk))
    assert "1 label" in page
    assert ">Rent</a>" in page
    assert ">Insurance</a>" not in page
    assert f'<option value="{housing.pk}" selected>Housing</option>' in page
    assert f'href="/labels/?topic={housing.pk}"' in staff_client.get("/topics/").content.decode()
    assert "No label fits" in page_of(staff_client, topic=str(housing.pk), q="insurance")
    assert "2 labels" in page_of(staff_client, topic="9x")


def test_labels_are_sorted_as_asked(staff_client: Client) -> None:
    put_on("Alpha", make_source())
    put_on("Beta", make_source(), make_source())
    for sort, first, second in (("name", "Alpha", "Beta"), ("-name", "Beta", "Alpha"), ("-count", "Beta", "Alpha")):
        page = page_of(staff_client, sort=sort)
        assert page.index(f">{first}</a>") < page.index(f">{second}</a>")
    assert "Alpha" in page_of(staff_client, sort="; drop table")


def test_list_comes_in_pages_with_the_same_number_of_queries(
    staff_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    source = make_source()
    for number in range(60):
        put_on(f"Label {number:02}", source)
    with django_assert_max_num_queries(11):
        page = page_of(staff_client)
    assert page.count('<tr id="label-') == 50
    assert "?page=2" in page
    assert page_of(staff_client, page="2").count('<tr id="label-') == 10


def test_the_topics_of_much_used_labels_are_counted_when_the_page_is_open(staff_client: Client) -> None:
    label = put_on("Rent", make_source(topic=make_topic(name="Housing")))
    Label.objects.update(usage_count=30_000)
    page = page_of(staff_client)
    assert '<span dir="auto">Housing</span>' not in page
    address = f"{reverse('label-use')}?ids={label.pk}"
    assert f'hx-get="{address}"' in page
    piece = staff_client.get(f"{address}&ids=x&ids=999999", headers=HTMX).content.decode()
    assert f'id="use-{label.pk}" hx-swap-oob="true"' in piece
    assert '<span dir="auto">Housing</span> <bdi>1</bdi>' in piece


def test_nearly_the_same_labels_are_shown_before_one_is_made(staff_client: Client) -> None:
    make_label("Insurance policy")
    asked = staff_client.get(reverse("label-alike"), {"name": "Insurance-policys"}).content.decode()
    assert "Insurance policy" in asked
    asked = staff_client.post(reverse("label-create"), {"name": "Insurance-policys"}).content.decode()
    assert "Make it anyway" in asked
    assert Label.objects.count() == 1
    staff_client.post(reverse("label-create"), {"name": "Insurance-policys", "sure": "Insurance-policys"})
    assert Label.objects.count() == 2


def test_a_new_label_is_made_and_one_that_is_there_is_not(staff_client: Client) -> None:
    answer = staff_client.post(reverse("label-create"), {"name": "  שכירות  ", "next": "/labels/?sort=count"})
    assert answer.headers["Location"] == "/labels/?sort=count"
    assert Label.objects.get().name == "שכירות"
    answer = staff_client.post(reverse("label-create"), {"name": "שכירות"}, headers=HTMX)
    assert answer.status_code == 409
    assert "There is such a label already" in answer.content.decode()
    answer = staff_client.post(reverse("label-create"), {"name": " "})
    assert answer.status_code == 400
    assert "A label needs a name." in answer.content.decode()


def test_the_way_back_leads_to_no_other_site(staff_client: Client) -> None:
    answer = staff_client.post(reverse("label-create"), {"name": "One", "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == reverse("labels")


def test_a_renamed_label_keeps_its_old_name_as_another(staff_client: Client) -> None:
    label = make_label("Rent")
    answer = staff_client.post(reverse("label-rename", args=[label.pk]), {"name": "Tenancy"}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == reverse("labels")
    label.refresh_from_db()
    assert (label.name, label.slug) == ("Tenancy", "tenancy")
    page = page_of(staff_client)
    assert "“<bdi>Rent</bdi>” is now called “<bdi>Tenancy</bdi>”." in page
    assert f'<a class="chip" href="{reverse("library")}?label=tenancy" dir="auto">Rent</a>' in page


def test_a_name_that_another_label_has_is_refused_with_the_way_to_merge(staff_client: Client) -> None:
    label, other = make_label("Rent"), make_label("Tenancy")
    answer = staff_client.post(reverse("label-rename", args=[label.pk]), {"name": "tenancy"}, headers=HTMX)
    piece = answer.content.decode()
    assert answer.status_code == 400
    assert "<html" not in piece
    assert 'value="tenancy"' in piece
    assert "Merge “<bdi>Rent</bdi>” into “<bdi>Tenancy</bdi>”…" in piece
    assert reverse("label-merge", args=[label.pk]) + f"?target={other.slug}" in piece


def test_a_merge_says_first_what_it_will_do(staff_client: Client) -> None:
    both, one, two = make_source(), make_source(), make_source()
    label, target = put_on("Rents", both, one, two), put_on("Rent", both)
    url = reverse("label-merge", args=[label.pk])
    asked = staff_client.get(url, {"target": "rent"}, headers=HTMX).content.decode()
    assert "<dd><bdi>2</bdi></dd>" in asked
    assert "<dd><bdi>1</bdi></dd>" in asked
    assert '<span class="chip" dir="auto">Rents</span>' in asked
    assert reverse("label-merge", args=[target.pk]) + "?target=rents" in asked
    assert Label.objects.count() == 2

    answer = staff_client.post(url, {"target": "rent"})
    assert answer.headers["Location"] == reverse("labels")
    target.refresh_from_db()
    assert target.usage_count == 3
    assert not Label.objects.filter(pk=label.pk).exists()
    assert "“<bdi>Rents</bdi>” was merged into “<bdi>Rent</bdi>”." in page_of(staff_client)


def test_a_target_is_found_by_the_name_that_was_typed(staff_client: Client) -> None:
    label, _target = make_label("Rents"), make_label("Letting")
    url = reverse("label-merge", args=[label.pk])
    assert "Sources that change over" in staff_client.get(url, {"target_name": "letting"}).content.decode()
    newer = staff_client.get(url, {"target_name": "Letting", "target": "rents"}).content.decode()
    assert "Sources that change over" in newer
    for query in ({"target_name": "nothing"}, {"target": "nothing"}):
        answer = staff_client.get(url, query)
        assert answer.status_code == 404
        assert "There is no" in answer.content.decode()
    assert staff_client.get(url, {"target": "rents"}).status_code == 400


def test_a_label_that_someone_else_merged_meanwhile_is_said_to_be_gone(staff_client: Client) -> None:
    label, target = make_label("Rents"), make_label("Rent")
    naming.merge(label.pk, target.pk, by="avi")
    for name, data in (("label-rename", {"name": "X"}), ("label-merge", {"target": "rent"}), ("label-delete", {})):
        answer = staff_client.post(reverse(name, args=[label.pk]), data, headers=HTMX)
        assert answer.status_code == 404
        assert "“<bdi>Rents</bdi>” was merged into another label." in answer.content.decode()
        assert "avi" in answer.content.decode()


def test_only_an_unused_label_can_be_deleted(staff_client: Client) -> None:
    used, unused = put_on("Used", make_source()), make_label("Unused")
    page = page_of(staff_client)
    assert reverse("label-delete", args=[unused.pk]) in page
    assert reverse("label-delete", args=[used.pk]) not in page
    answer = staff_client.post(reverse("label-delete", args=[used.pk]), headers=HTMX)
    assert answer.status_code == 409
    assert "By now 1 source carries it." in answer.content.decode()
    assert staff_client.get(reverse("label-delete", args=[unused.pk])).status_code == 200
    staff_client.post(reverse("label-delete", args=[unused.pk]))
    assert [label.name for label in Label.objects.all()] == ["Used"]


def test_pairs_that_are_nearly_the_same_are_to_be_merged_into_the_more_used(staff_client: Client) -> None:
    put_on("Insurance policy", make_source())
    lesser = make_label("Insurance policys")
    piece = staff_client.get(reverse("label-pairs"), headers=HTMX).content.decode()
    assert reverse("label-merge", args=[lesser.pk]) + "?target=insurance-policy" in piece
    assert "<html" in staff_client.get(reverse("label-pairs")).content.decode()


def test_a_reviewer_sees_no_merge_and_no_delete_and_is_refused_both(reviewer_client: Client) -> None:
    label, target = make_label("Rents"), make_label("Rent")
    page = page_of(reviewer_client)
    assert reverse("label-rename", args=[label.pk]) in page
    for name in ("label-merge", "label-delete"):
        url = reverse(name, args=[label.pk])
        assert url not in page
        assert reviewer_client.get(url).status_code == 403
        assert reviewer_client.post(url, {"target": target.slug}).status_code == 403
    assert reverse("label-pairs") not in page
    assert reviewer_client.get(reverse("label-pairs")).status_code == 403
    assert Label.objects.count() == 2


def test_a_name_is_never_run_as_html(staff_client: Client) -> None:
    label = make_label("<script>alert(1)</script>")
    for url in (reverse("labels"), *(reverse(f"label-{verb}", args=[label.pk]) for verb in ("rename", "delete"))):
        assert "<script>alert" not in staff_client.get(url).content.decode()


def test_the_page_speaks_hebrew(staff_client: Client) -> None:
    make_label("שכירות")
    page = staff_client.get(reverse("labels"), headers={"Accept-Language": "he"}).content.decode()
    assert "תוויות" in page
    assert "New label" not in page
