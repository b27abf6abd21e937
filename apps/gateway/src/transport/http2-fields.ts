import type { OutgoingHttpHeaders } from 'node:http2';

/** A request's head as HTTP/2 carries it, in the form of HTTP/1. */
export interface Http2Head {
  readonly method: string;
  /** Empty for `CONNECT`. */
  readonly target: string;
  /** Name and value by turns; `host` from `:authority`, and cookies in one field. */
  readonly headers: readonly string[];
  readonly length: number | undefined;
  /** Whether the client sends its body only when told to. */
  readonly expectsContinue: boolean;
}

/**
 * Takes a head apart. What must not be in it (fields of a connection, capitals, a second length, pseudo-fields behind others)
 * was refused by nghttp2, which leaves out fields with characters that none may have. `:authority` and a `host` that names another one are both handed on, and refused as two hosts.
 */
export function readHttp2Head(raw: readonly string[]): Http2Head {
  const headers: string[] = [];
  let method = '';
  let target = '';
  let authority: string | undefined;
  let cookies = '';
  let length: number | undefined;
  let expectsContinue = false;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    if (name.charCodeAt(0) === 0x3a) {
      if (name === ':method') method = value;
      else if (name === ':path') target = value;
      else if (name === ':authority') {
        authority = value;
        headers.push('host', value);
      }
    } else if (name === 'cookie') cookies = cookies === '' ? value : `${cookies}; ${value}`;
    else if (name === 'host' && authority?.toLowerCase() === value.toLowerCase()) continue;
    else {
      if (name === 'content-length') length = Number(value);
      else if (name === 'expect' && value.toLowerCase() === '100-continue') expectsContinue = true;
      headers.push(name, value);
    }
  }
  // RFC 9113, section 8.2.3.
  if (cookies !== '') headers.push('cookie', cookies);
  return { method, target, headers, length, expectsContinue };
}

/** Fields of HTTP/1's connections. Source: RFC 9113, section 8.2.2. */
export const ofConnections: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'te',
]);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * The fields of an answer as HTTP/2 carries them: without those of a connection.
 * @throws TypeError for a field that no version of HTTP can carry: `node:http2` would let its value become further fields
 */
export function http2Fields(status: number, headers: readonly string[]): string[] {
  const fields = [':status', String(status)];
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = headers[at + 1] ?? '';
    if (ofConnections.has(name)) continue;
    checkField(name, value);
    fields.push(name, value);
  }
  return fields;
}

/**
 * Trailers in the form that `node:http2` takes.
 * @throws TypeError as {@link http2Fields}
 */
export function http2Trailers(trailers: readonly string[]): OutgoingHttpHeaders {
  const fields = new Map<string, string[]>();
  for (let at = 0; at < trailers.length; at += 2) {
    const name = (trailers[at] ?? '').toLowerCase();
    const value = trailers[at + 1] ?? '';
    if (ofConnections.has(name)) continue;
    checkField(name, value);
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(fields);
}

/**
 * Judges a field that nobody has parsed.
 * @throws TypeError as {@link http2Fields}
 */
export function checkField(name: string, value: string): void {
  if (!token.test(name)) throw new TypeError('a header has an invalid name');
  if (notInValues.test(value)) throw new TypeError(`the header ${name} has an invalid value`);
}
