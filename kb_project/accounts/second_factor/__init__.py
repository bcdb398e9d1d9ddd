"""What people show besides their passwords: apps that make codes, passkeys, recovery codes (ADR 31)."""
