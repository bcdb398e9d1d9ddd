"""Signatures: as the reference library makes them, and of two secrets at a time."""

import base64
from typing import Any

from ingest.webhooks.sending import SECRET_BYTES, headers, new_secret

# As the reference library signs it (standardwebhooks 1.1.0).
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE: Any = {"message": "msg_p5jXN8AQM9LWM0D4loKWxJek", "timestamp": 1614265330, "body": b'{"test": 2432232314}'}
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_message_is_signed_as_the_standard_has_it() -> None:
    told = headers(**MESSAGE, secrets=[SECRET])
    assert told == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": SIGNATURE,
    }
    other = headers(**MESSAGE, secrets=[new_secret(), SECRET])["webhook-signature"].split(" ")
    assert other[1] == SIGNATURE != other[0]


def test_a_secret_is_new_each_time() -> None:
    assert len({new_secret() for _ in range(10)}) == 10
    assert len(base64.b64decode(new_secret().removeprefix("whsec_"))) == SECRET_BYTES
