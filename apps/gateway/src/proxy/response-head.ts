import { isHopByHop, removeNamedFields } from './field-kinds.ts';

/** An upstream's answer as it goes to the client. */
export interface ResponseHead {
  /** Name and value by turns, without hop-by-hop fields. */
  readonly pairs: string[];
  /** Length of the body as the answer states it; -1 when it does not. */
  readonly length: number;
}

/** Filters an answer's fields. */
export function responseHead(headers: readonly string[]): ResponseHead {
  const pairs: string[] = [];
  let length = -1;
  let connection = '';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    const lower = name.toLowerCase();
    if (isHopByHop(lower)) {
      if (lower === 'connection') connection = connection === '' ? value : `${connection},${value}`;
      continue;
    }
    if (lower === 'content-length') length = Number(value);
    pairs.push(name, value);
  }
  if (connection !== '' && connection !== 'keep-alive') removeNamedFields(pairs, connection);
  return { pairs, length };
}

/** The fields that may stand in an answer whose body is framed by the transport. */
export function withoutFraming(headers: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const lower = name.toLowerCase();
    if (lower !== 'content-length' && !isHopByHop(lower)) pairs.push(name, headers[at + 1] ?? '');
  }
  return pairs;
}

/** The fields of an answer whose length nobody knows yet. */
export function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_part, at) => headers[at - (at % 2)]?.toLowerCase() !== 'content-length');
}
