"""Mail to people."""

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation

from kb_project.accounts import links
from kb_project.accounts.notices import EXPIRES_S, Notice
from kb_project.celery import app


@app.task(expires=600)
def mail_password_link(*, email: str, host: str, secure: bool, language: str) -> None:
    """Send a link for a new password to each account of this address. `host` is the service's, with its port."""
    form = PasswordResetForm({"email": email})
    if not form.is_valid():
        return
    with translation.override(language):
        form.save(
            domain_override=host,
            use_https=secure,
            subject_template_name="accounts/mail_subject.txt",
            email_template_name="accounts/mail.txt",
            html_email_template_name="accounts/mail.html",
        )


@app.task(expires=EXPIRES_S)
def mail_notice(name: str, address: str, notice: str, language: str) -> None:
    """Say to an account's address what was done to what opens the account of this name. As `send_notice`."""
    with translation.override(language):
        said = str(Notice(notice).label)
        context = {"said": said, "name": name, "service": settings.KB_PUBLIC_URL}
        text, html = (render_to_string(f"accounts/notice_mail.{kind}", context) for kind in ("txt", "html"))
        send_mail(said, text, None, [address], html_message=html)


@app.task(expires=24 * 3600)
def mail_invitation(*, user_id: int, service: str, language: str) -> None:
    """Send the link of an invitation to the account's address. `service` is the address of this one, as people have it.

    The link is made here: none passes the broker.
    """
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email:
        return
    link = service.rstrip("/") + links.invitation_path(user)
    with translation.override(language):
        context = {"service": service, "name": user.get_username(), "link": link}
        subject = render_to_string("accounts/invitation_subject.txt").strip()
        text, html = (render_to_string(f"accounts/invitation_mail.{kind}", context) for kind in ("txt", "html"))
        send_mail(subject, text, None, [user.email], html_message=html)
