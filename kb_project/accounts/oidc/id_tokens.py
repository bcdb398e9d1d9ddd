"""Which of a provider's keys has signed a token.

Authlib looks for the one key of the token's id, and for the only key where the token names none. Providers also publish
several and name none, or renew a key under the id it had.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import Key, KeySet
from joserfc.jws import JWSRegistry

MAX_KEYS = 50  # of a provider that are looked at
WRONG_KEY = "No key of the provider has signed this token."


def decoded(token: str, *, keys: Mapping[str, Any], algorithms: Sequence[str]) -> jwt.Token:
    """The token, its signature verified. `keys` is a JWK set. Raises JoseError, ValueError, KeyError and TypeError."""
    registry = JWSRegistry(algorithms=[*algorithms], strict_check_header=False)
    failure: JoseError = InvalidKeyIdError(WRONG_KEY)
    for key in _fitting(keys, jws.extract_compact(token.encode()).headers()):
        try:
            return jwt.decode(token, key=key, registry=registry)
        except JoseError as error:
            failure = error
    raise failure


def _fitting(keys: Mapping[str, Any], header: Mapping[str, Any]) -> Iterator[Key]:
    """The keys of the token's id. All that may sign so, where it names none."""
    for key in KeySet.import_key_set({**keys, "keys": keys["keys"][:MAX_KEYS]}).keys:  # type: ignore[typeddict-item]
        if "kid" in header:
            fits = key.kid == header["kid"]
        else:
            fits = key.get("use") in (None, "sig") and key.get("alg") in (None, header.get("alg"))
        if fits:
            yield key
