import { STATUS_CODES, type OutgoingHttpHeader, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { ResponseState } from '../response-state.ts';

/** What an application may pass to `writeHead` as headers. */
export type HeadFields = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];

/** Statuses whose answers have no body. Source: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Keeps what an application said in `writeHead` where `setHeader` keeps it, so that there is one place to read it. */
export function keepHead(
  response: ServerResponse,
  status: number,
  message: string | undefined,
  fields: HeadFields,
): void {
  response.statusCode = status;
  if (message !== undefined) response.statusMessage = message;
  const grouped = new Map<string, { readonly name: string; readonly values: OutgoingHttpHeader[] }>();
  for (const [name, value] of pairsOf(fields)) {
    if (value === undefined) continue;
    const known = grouped.get(name.toLowerCase());
    if (known === undefined) grouped.set(name.toLowerCase(), { name, values: [value] });
    else known.values.push(value);
  }
  for (const { name, values } of grouped.values()) {
    const [first] = values;
    response.setHeader(name, values.length > 1 || first === undefined ? values.flat().map(String) : first);
  }
}

/** Node takes an object, a list of name and value by turns, and a list of pairs. A value may itself be a list. */
function pairsOf(fields: HeadFields): readonly (readonly [string, OutgoingHttpHeader | undefined])[] {
  if (!Array.isArray(fields)) return Object.entries(fields as OutgoingHttpHeaders);
  const list = fields as readonly OutgoingHttpHeader[];
  if (Array.isArray(list[0])) return list.map((pair) => pairOf(pair as unknown as readonly OutgoingHttpHeader[], 0));
  const pairs: (readonly [string, OutgoingHttpHeader | undefined])[] = [];
  for (let index = 0; index < list.length; index += 2) pairs.push(pairOf(list, index));
  return pairs;
}

function pairOf(list: readonly OutgoingHttpHeader[], index: number): readonly [string, OutgoingHttpHeader | undefined] {
  return [String(list[index]), list[index + 1]];
}

/** The fields that an application set: name and value by turns, each line of a list by itself. */
export function fieldsOf(response: ServerResponse): string[] {
  const pairs: string[] = [];
  for (const name of response.getHeaderNames()) {
    for (const value of linesOf(response, name)) pairs.push(name, value);
  }
  return pairs;
}

/** Makes the head of a Node response what plugins left. Fields that they did not touch keep the application's writing. */
export function applyHead(response: ServerResponse, left: ResponseState, withoutLength: boolean): void {
  const wanted = new Map<string, { name: string; values: string[] }>();
  left.headers.forEach((name, value) => {
    const known = wanted.get(name.toLowerCase());
    if (known === undefined) wanted.set(name.toLowerCase(), { name, values: [value] });
    else known.values.push(value);
  });
  if (withoutLength || left.status === 204) wanted.delete('content-length');
  if (left.status === 205) {
    wanted.delete('transfer-encoding');
    wanted.set('content-length', { name: 'content-length', values: ['0'] });
  }
  for (const name of response.getHeaderNames()) if (!wanted.has(name)) response.removeHeader(name);
  for (const [lower, { name, values }] of wanted) {
    const now = linesOf(response, lower);
    if (now.length === values.length && now.every((value, index) => value === values[index])) continue;
    response.setHeader(name, values.length === 1 ? (values[0] as string) : values);
  }
  if (response.statusCode === left.status) return;
  response.statusCode = left.status;
  response.statusMessage = STATUS_CODES[left.status] ?? '';
}

function linesOf(response: ServerResponse, name: string): readonly string[] {
  const value = response.getHeader(name);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}
