"""What the numbers and names of hosts lead to: this machine, a cloud's metadata service, the public internet."""

import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# Where clouds tell a machine its credentials, besides the link-local networks that most of them use.
METADATA_ADDRESSES = frozenset({"100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"})
METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "metadata.goog", "instance-data"})
LOOPBACK_NAMES = frozenset({"localhost", "localhost.localdomain", "ip6-localhost"})


def numeric(host: str) -> Address | None:
    """The number that the host is, however written: `2852039166` and `0xa9fea9fe` are numbers too. None for a name."""
    try:
        address: Address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_loopback(host: str) -> bool:
    address = numeric(host)
    return address.is_loopback if address is not None else host.lower().rstrip(".") in LOOPBACK_NAMES


def is_metadata(host: str) -> bool:
    """Whether the host is, by its number in any spelling or by its name, what tells a machine its credentials."""
    address = numeric(host)
    if address is None:
        return host.lower().rstrip(".") in METADATA_NAMES
    return address.is_link_local or str(address) in METADATA_ADDRESSES


def is_public(address: Address) -> bool:
    """Whether the address, a `numeric` one, is of the public internet, and leads nowhere else from there."""
    if isinstance(address, ipaddress.IPv6Address) and (address.is_site_local or address.sixtofour or address.teredo):
        return False
    special = address.is_multicast or address.is_reserved or str(address) in METADATA_ADDRESSES
    return address.is_global and not special


def is_network(text: str) -> bool:
    """Whether it is an address or a network such as 10.0.0.0/8."""
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True
