/** What becomes of a header field that the proxy does not simply forward. */
export type FieldKind =
  | 'host'
  | 'connection'
  | 'hop'
  | 'te'
  | 'trailer'
  | 'upgrade'
  | 'coding'
  | 'expect'
  | 'length'
  | 'forwarded'
  | 'for'
  | 'identity'
  | 'hops'
  | 'trace';

/**
 * Fields with a meaning of their own, by lower-case name. Hop-by-hop fields: RFC 9110, section 7.6.1. `proxy` would become
 * the variable HTTP_PROXY of CGI programs.
 */
export const fieldKinds: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ['host', 'host'],
  ['connection', 'connection'],
  ['upgrade', 'upgrade'],
  ['te', 'te'],
  ['trailer', 'trailer'],
  ['transfer-encoding', 'coding'],
  ['content-length', 'length'],
  ['expect', 'expect'],
  ...(['keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'proxy'] as const).map(
    (name): [string, FieldKind] => [name, 'hop'],
  ),
  ...(
    [
      ...['forwarded', 'x-real-ip', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-server'],
      ...['x-forwarded-prefix', 'x-forwarded-path', 'x-forwarded-uri', 'x-forwarded-scheme', 'x-forwarded-ssl'],
    ] as const
  ).map((name): [string, FieldKind] => [name, 'forwarded']),
  ['x-forwarded-for', 'for'],
  ['cdn-loop', 'hops'],
  ['traceparent', 'trace'],
  ['tracestate', 'trace'],
  ...(
    [
      'x-consumer-id',
      'x-consumer-username',
      'x-consumer-custom-id',
      'x-consumer-groups',
      'x-credential-identifier',
      'x-anonymous-consumer',
    ] as const
  ).map((name): [string, FieldKind] => [name, 'identity']),
]);

const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);

/** Whether a field of an answer belongs to one connection and is not forwarded. */
export function isHopByHop(lowerName: string): boolean {
  return hopByHop.has(lowerName);
}

/** Removes the fields that a `connection` header names from a list of pairs. `close` and `keep-alive` name none. */
export function removeNamedFields(pairs: string[], connection: string): void {
  // Peers name as many as a head has room for: each field is looked up once.
  const named = new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  for (const name of ['', 'close', 'keep-alive', 'host']) named.delete(name);
  if (named.size === 0) return;
  let kept = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    if (named.has(name.toLowerCase())) continue;
    pairs[kept] = name;
    pairs[kept + 1] = pairs[at + 1] ?? '';
    kept += 2;
  }
  pairs.length = kept;
}
