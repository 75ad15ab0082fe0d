import { isIP } from 'node:net';
import { isLoopback } from '../../base/loopback.ts';

/** Addresses that never serve a file to the public: loopback, private, link-local, shared, multicast, reserved. */
const inside: readonly RegExp[] = [
  /^(0|10|127|169\.254|192\.168|192\.0\.0|198\.1[89])\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^(22[4-9]|2[3-5]\d)\./,
];

/**
 * Whether a signed link, or where it redirects to, may be fetched (DL-2): https, no user name, and no address inside a
 * network. A service on loopback may link to loopback, over plain http too.
 */
export function mayFetch(link: URL, baseUrl: URL): boolean {
  if (link.username !== '' || link.password !== '') return false;
  if (isLoopback(link)) return isLoopback(baseUrl) && (link.protocol === 'https:' || link.protocol === 'http:');
  if (link.protocol !== 'https:') return false;
  const host = link.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 4) return !inside.some((pattern) => pattern.test(host));
  if (version === 6) return mayFetchV6(host);
  return host !== 'localhost' && !host.endsWith('.localhost');
}

/** Only global unicast addresses (2000::/3), and those of IPv4 written as IPv6 are none. */
function mayFetchV6(host: string): boolean {
  return /^[23][0-9a-f]{3}:/.test(host) && !host.startsWith('2002:');
}
