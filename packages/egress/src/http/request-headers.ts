import { EgressError } from '../egress-error.ts';

/** What the connection and the egress itself decide. Whoever calls cannot say it. */
const connectionFields: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What goes along to another party: it says what is wanted, and not who wants it. */
const harmlessFields: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'traceparent',
  'user-agent',
]);

/** Fields of a body, which go when it does. Source: Fetch, "request-body-header name". */
const bodyFields: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
]);

/** Name and value by turns. */
export type HeaderLines = readonly string[];

/** @throws EgressError `refused` for methods that are about connections */
export function checkMethod(method: string): void {
  if (method === 'CONNECT' || method === 'TRACE') throw new EgressError('refused', 'the method is none for plugins');
}

/** The fields of a call as they are sent. Bodies are asked for as they are: nothing has to be unpacked that may be a bomb. */
export function sentHeaders(lines: HeaderLines): string[] {
  if (lines.length % 2 !== 0) throw new EgressError('refused', 'the request has a header without a value');
  return [...without(lines, (name) => connectionFields.has(name)), 'accept-encoding', 'identity'];
}

/** The fields of a call that goes on without its body. */
export function withoutBody(lines: HeaderLines): HeaderLines {
  return without(lines, (name) => bodyFields.has(name));
}

/** The fields of a call that goes on to another party: any other field may be a credential, whatever its name. */
export function forStrangers(lines: HeaderLines): HeaderLines {
  return without(lines, (name) => !harmlessFields.has(name));
}

function without(lines: HeaderLines, isOut: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = String(lines[at]);
    if (!isOut(name.toLowerCase())) kept.push(name, lines[at + 1] as string);
  }
  return kept;
}
