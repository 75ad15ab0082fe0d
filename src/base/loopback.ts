/** True for `127.0.0.1` and `[::1]` written as such; the name `localhost` may lead elsewhere. */
export function isLoopback(url: URL): boolean {
  return url.hostname === '127.0.0.1' || url.hostname === '[::1]';
}
