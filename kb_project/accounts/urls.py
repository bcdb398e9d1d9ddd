from django.urls import path

from kb_project.accounts import audit_screens, links
from kb_project.accounts.oidc import screens as oidc
from kb_project.accounts.passwords import screens
from kb_project.accounts.people import screens as people
from kb_project.accounts.second_factor import screens as second_factor
from kb_project.accounts.sessions import screens as sessions
from kb_project.accounts.sign_in import SignIn, SignOut, signed_in, signed_out

urlpatterns = [
    path("sign-in/", SignIn.as_view(), name="sign-in"),
    path("sign-in/done/", signed_in, name="signed-in"),
    path("sign-in/organisation/", oidc.begin, name="sign-in-organisation"),
    path("sign-in/organisation/return/", oidc.finish, name="sign-in-return"),
    path("sign-in/organisation/signed-out/", oidc.signed_out_there, name="sign-out-organisation"),
    path("sign-in/link/<str:uidb64>/<str:token>/", links.use, name="sign-in-link"),
    path("sign-in/second-factor/", second_factor.show, name="second-factor-show"),
    path("account/sessions/", sessions.sessions, name="account-sessions"),
    path("account/sessions/end/", sessions.end_all, name="account-sessions-end"),
    path("account/second-factor/", second_factor.overview, name="second-factor"),
    path("account/second-factor/app/", second_factor.add_app, name="second-factor-app"),
    path("account/second-factor/passkey/", second_factor.add_passkey, name="second-factor-passkey"),
    path("account/second-factor/codes/", second_factor.renew_codes, name="second-factor-codes"),
    path("account/second-factor/confirm/", second_factor.confirm, name="second-factor-confirm"),
    path("account/second-factor/<int:factor_id>/remove/", second_factor.remove, name="second-factor-remove"),
    path("sign-out/", SignOut.as_view(), name="sign-out"),
    path("signed-out/", signed_out, name="signed-out"),
    path("password/", screens.PasswordChange.as_view(), name="password"),
    path("password/forgotten/", screens.PasswordForgotten.as_view(), name="password-forgotten"),
    path("password/new/<str:uidb64>/<str:token>/", screens.PasswordNew.as_view(), name="password-new"),
    path("invitation/<str:uidb64>/<str:token>/", screens.InvitationAccepted.as_view(), name="invitation"),
    path("audit/", audit_screens.audit_log, name="audit"),
    path("audit/export.csv", audit_screens.export, name="audit-csv"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="people-invite"),
    path("people/<int:user_id>/", people.change, name="people-change"),
    path("people/<int:user_id>/link/", people.link, name="people-link"),
    path("people/<int:user_id>/second-factor/", people.second_factor, name="people-second-factor"),
    path("people/<int:user_id>/deactivate/", people.deactivate, name="people-deactivate"),
    path("people/<int:user_id>/activate/", people.activate, name="people-activate"),
]
