/** A token as people may see it: enough to tell tokens apart, not enough to use one. */
export function redactToken(token: string): string {
  const kept = /^gwadm_[A-Za-z0-9-]{1,40}_/.exec(token)?.[0] ?? token.slice(0, token.length >= 32 ? 6 : 0);
  return `${kept}[redacted]`;
}
