import { isToken } from './field-names.ts';
import type { UpstreamRequest } from './upstream-transport.ts';

/**
 * The head of a request as it is sent in HTTP/1.1, its framing included.
 * @returns `undefined` for a request that must not be sent: a field that would change how it is framed, or a character that could end a line
 */
export function requestHead(request: UpstreamRequest): string | undefined {
  const { method, path, headers, upgrade } = request;
  if (!isToken(method) || method === 'CONNECT' || !target.test(path)) return undefined;
  let host = '';
  let fields = '';
  let persistence = upgrade === undefined ? 'keep-alive' : 'upgrade';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    if (!isToken(name) || !fieldValue.test(value)) return undefined;
    const framing = framingFields.get(name.length);
    if (framing === undefined) {
      fields += `${name}: ${value}\r\n`;
      continue;
    }
    const lower = name.toLowerCase();
    if (!framing.includes(lower)) fields += `${name}: ${value}\r\n`;
    else if (lower === 'host') {
      if (host !== '') return undefined;
      host = `host: ${value}\r\n`;
    } else if (lower === 'connection') {
      const wish = value.toLowerCase();
      if (upgrade !== undefined || (wish !== 'close' && wish !== 'keep-alive')) return undefined;
      persistence = wish;
    } else if (lower !== 'content-length') return undefined;
  }
  const protocol = upgrade === undefined ? '' : `upgrade: ${upgrade}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${host}connection: ${persistence}\r\n${protocol}${fields}${framingOf(request)}\r\n`;
}

/** The length that the head states of a body; `undefined` for one that goes in chunks. It is what is known of it, whatever fields say. */
export function statedLength({
  body,
  trailerNames,
}: Pick<UpstreamRequest, 'body' | 'trailerNames'>): number | undefined {
  return trailerNames !== undefined && !(body instanceof Uint8Array) ? undefined : body?.length;
}

/** How the body says where it ends. */
function framingOf(request: UpstreamRequest): string {
  if (request.body === undefined) return withContent.has(request.method) ? 'content-length: 0\r\n' : '';
  const length = statedLength(request);
  if (length !== undefined) return `content-length: ${length}\r\n`;
  const { trailerNames = [] } = request;
  const announced =
    trailerNames.every(isToken) && trailerNames.length > 0 ? `trailer: ${trailerNames.join(', ')}\r\n` : '';
  return `${announced}transfer-encoding: chunked\r\n`;
}

/** Fields as lines. @returns `undefined` where one cannot be sent */
export function fieldLines(pairs: readonly string[]): string | undefined {
  let lines = '';
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    const value = pairs[at + 1] ?? '';
    if (!isToken(name) || !fieldValue.test(value)) return undefined;
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Methods whose requests state their length even where they have no body. Source: RFC 9110, section 8.6. */
const withContent: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** Fields that frame a message or its connection, by the length of their names: few fields are looked at twice. */
const framingFields: ReadonlyMap<number, readonly string[]> = new Map(
  Object.entries(
    Object.groupBy(
      ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect'],
      ({ length }) => length,
    ),
  ).map(([length, names]) => [Number(length), names ?? []]),
);

/** What a field's value may have in it: no control characters but the tab, and nothing that is no byte. Source: RFC 9110, section 5.5. */
export const fieldValue: RegExp = /^[\t\x20-\x7e\x80-\xff]*$/;

const target = /^[\x21-\x7e\x80-\xff]+$/;
