"""Background work of the foundation."""

from datetime import timedelta

from celery import shared_task
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils import translation

from kb_project.accounts import links
from kb_project.models import IntegrityRun
from kb_project.operations.integrity.run import run_if_due

CHECKED_EVERY = timedelta(days=1)


@shared_task(expires=3600)
def check_integrity() -> bool:
    """Run the integrity checks when a day has passed since they last ran; sent by beat every hour.

    So it is done once a day also where beat forgets its schedule at each restart. It repairs nothing.
    """
    return run_if_due(every=CHECKED_EVERY, by=IntegrityRun.By.BEAT) is not None


@shared_task(expires=3600)
def clear_sessions() -> None:
    """Delete the sessions that have ended; also those of people who only began to sign in."""
    SessionStore.clear_expired()


@shared_task(expires=600)
def mail_password_link(*, email: str, host: str, secure: bool, language: str) -> None:
    """Send a link for a new password to each account of this address; `host` is the service's, with its port."""
    form = PasswordResetForm({"email": email})
    if not form.is_valid():
        return
    with translation.override(language):
        form.save(
            domain_override=host,
            use_https=secure,
            subject_template_name="accounts/mail_subject.txt",
            email_template_name="accounts/mail.txt",
        )


@shared_task(expires=24 * 3600)
def mail_invitation(*, user_id: int, service: str, language: str) -> None:
    """Send the link of an invitation to the account's address; `service` is the address of this one, as people have it.

    The link is made here: none passes the broker.
    """
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email:
        return
    link = service.rstrip("/") + links.invitation_path(user)
    with translation.override(language):
        context = {"service": service, "name": user.get_username(), "link": link}
        subject = render_to_string("accounts/invitation_subject.txt").strip()
        send_mail(subject, render_to_string("accounts/invitation_mail.txt", context), None, [user.email])
