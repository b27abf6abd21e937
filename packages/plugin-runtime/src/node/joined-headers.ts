/** The fields of a request in the two forms in which Node gives them. */
export interface JoinedHeaders {
  readonly headers: Record<string, string | string[]>;
  readonly headersDistinct: Record<string, string[]>;
}

/**
 * What `headers` and `headersDistinct` of a Node request say for these lines: names in lower case; of fields that a message
 * has once the first line counts; the others are joined. Source: Node's documentation, `message.headers`.
 * @param pairs name and value by turns
 */
export function joinedHeaders(pairs: readonly string[]): JoinedHeaders {
  const distinct = new Map<string, string[]>();
  for (let index = 0; index < pairs.length; index += 2) {
    const name = (pairs[index] as string).toLowerCase();
    const values = distinct.get(name);
    if (values === undefined) distinct.set(name, [pairs[index + 1] as string]);
    else values.push(pairs[index + 1] as string);
  }
  const headers = [...distinct].map(([name, values]) => [name, joined(name, values)] as const);
  return { headers: Object.fromEntries(headers), headersDistinct: Object.fromEntries(distinct) };
}

function joined(name: string, values: readonly string[]): string | string[] {
  if (name === 'set-cookie') return [...values];
  if (SINGLE.has(name)) return values[0] ?? '';
  return values.join(name === 'cookie' ? '; ' : ', ');
}

const SINGLE: ReadonlySet<string> = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host'],
  ...['if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization'],
  ...['referer', 'retry-after', 'server', 'user-agent'],
]);
