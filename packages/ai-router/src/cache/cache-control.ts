/** What a client says of the cache. Source: ai, Attempt list and headers; RFC 9111, 5.2.1. */
export interface ClientWish {
  /** `no-cache`, and `max-age=0` that browsers send to load anew: not what was kept, but what comes now may be kept. */
  readonly mayRead: boolean;
  /** `no-store`: neither. */
  readonly mayWrite: boolean;
}

const all: ClientWish = Object.freeze({ mayRead: true, mayWrite: true });

/** Reads a request's `Cache-Control`. Directives that are not known are left out, as HTTP wants it. */
export function clientWish(header: string | undefined): ClientWish {
  if (header === undefined) return all;
  const directives = header
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  const isKept = !directives.includes('no-store');
  const wantsNew = directives.some((directive) => directive === 'no-cache' || /^max-age\s*=\s*"?0+"?$/.test(directive));
  return { mayRead: isKept && !wantsNew, mayWrite: isKept };
}
