"""The sign-in page, which leads back to where one was, and signing out, here and with the organisation."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from kb_project.accounts import sign_in_audit, sign_in_options
from kb_project.accounts.login_throttle import LoginForm
from kb_project.accounts.oidc.provider import provider
from kb_project.accounts.second_factor import entering

PROOF = "oidc_proof"  # in the session of whoever signed in with the organisation
PAGE = "accounts/sign_in.html"


def destination(request: HttpRequest) -> str:
    """Where to go after signing in: `next`, if it is an address of this site and no page of the sign-in itself."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    ours = url_has_allowed_host_and_scheme(url, {request.get_host()}, request.is_secure())
    own = url.startswith((reverse("sign-in") + "?", reverse("signed-out"))) or url == reverse("sign-in")
    return url if ours and not own else resolve_url(settings.LOGIN_REDIRECT_URL)


def sign_in_page(request: HttpRequest, *, refused: str, status: int) -> HttpResponse:
    """The page again, with why it did not work. A password may still do where there are any."""
    context = {**_offer(request), "form": LoginForm(request), "refused": refused}
    return render(request, PAGE, context, status=status)


def _offer(request: HttpRequest) -> dict[str, Any]:
    return {
        "section": "sign-in",
        "next": destination(request),
        "has_ended": "ended" in request.GET,
        "is_oidc_offered": sign_in_options.offered(),
        "organisation": settings.KB_OIDC_LABEL,
        "has_local_accounts": sign_in_options.local_accounts(),
    }


class SignIn(LoginView):
    """With a password, if accounts have any. Whoever is signed in already goes straight on."""

    template_name = PAGE
    authentication_form = LoginForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method in ("GET", "HEAD") and request.user.is_authenticated and request.user.is_staff:
            return HttpResponseRedirect(destination(request))
        if request.method == "POST" and not sign_in_options.local_accounts():
            raise PermissionDenied(_("Passwords are not used here. Sign in with the organisation."))
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        return entering.enter(self.request, form.get_user(), then=destination(self.request))

    def get_success_url(self) -> str:
        return destination(self.request)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | _offer(self.request)

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        if form.wait_s is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.wait_s)
        elif form.non_field_errors():  # the password was looked at
            user = User.objects.filter(username=form.cleaned_data["username"]).first()
            sign_in_audit.note_refusal(self.request, user, way=sign_in_audit.PASSWORD)
        return response


@never_cache
@require_safe
def signed_in(request: HttpRequest) -> HttpResponse:
    """Where a sign-in ends that another tab waits for."""
    if not request.user.is_authenticated:
        return redirect("sign-in")
    return render(request, "accounts/signed_in.html")


class SignOut(LogoutView):
    """Ends the session. Whoever came from the organisation is led on to where their session with it ends."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        id_token = request.session.get(PROOF)
        super().post(request, *args, **kwargs)
        back = request.build_absolute_uri(reverse("signed-out"))
        onward = (
            provider().sign_out_address(id_token=id_token, back=back) if id_token and sign_in_options.offered() else ""
        )
        # A page, since the policy of pages lets no form lead to another host.
        response = render(request, "accounts/leaving.html", {"onward": onward}) if onward else redirect("signed-out")
        response.headers["Clear-Site-Data"] = '"storage"'  # drafts and answers that the browser has kept
        return response


@never_cache
@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "accounts/signed_out.html", {"section": "sign-in"})
