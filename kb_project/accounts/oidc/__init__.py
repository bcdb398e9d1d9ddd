"""Sign-in with the organisation: OpenID Connect, and what its provider says of a person (docs/sign-in.md)."""
