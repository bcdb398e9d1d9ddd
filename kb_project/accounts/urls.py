from django.urls import path

from kb_project.accounts import links
from kb_project.accounts import oidc_screens as oidc
from kb_project.accounts.passwords import screens
from kb_project.accounts.people import screens as people
from kb_project.accounts.sign_in import SignIn, SignOut, signed_in, signed_out

urlpatterns = [
    path("sign-in/", SignIn.as_view(), name="sign-in"),
    path("sign-in/done/", signed_in, name="signed-in"),
    path("sign-in/organisation/", oidc.begin, name="sign-in-organisation"),
    path("sign-in/organisation/return/", oidc.finish, name="sign-in-return"),
    path("sign-in/link/<str:uidb64>/<str:token>/", links.use, name="sign-in-link"),
    path("sign-out/", SignOut.as_view(), name="sign-out"),
    path("signed-out/", signed_out, name="signed-out"),
    path("password/", screens.PasswordChange.as_view(), name="password"),
    path("password/forgotten/", screens.PasswordForgotten.as_view(), name="password-forgotten"),
    path("password/new/<str:uidb64>/<str:token>/", screens.PasswordNew.as_view(), name="password-new"),
    path("invitation/<str:uidb64>/<str:token>/", screens.InvitationAccepted.as_view(), name="invitation"),
    path("people/", people.people, name="people"),
    path("people/invite/", people.invite, name="people-invite"),
    path("people/<int:user_id>/", people.change, name="people-change"),
    path("people/<int:user_id>/link/", people.link, name="people-link"),
    path("people/<int:user_id>/deactivate/", people.deactivate, name="people-deactivate"),
    path("people/<int:user_id>/activate/", people.activate, name="people-activate"),
]
