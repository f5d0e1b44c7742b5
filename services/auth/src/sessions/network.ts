import { isIPv6 } from 'node:net';

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address. One customer of a provider has a
 * whole /64, and could use a new address for every attempt.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  // The URL parser returns the canonical form of an address (RFC 5952).
  const [head = '', tail = ''] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
