import type { ServerCall } from '../transport/server-transport.ts';
import { isHopByHop, removeNamedFields } from './field-kinds.ts';
import { isTrailerName } from './trailer-fields.ts';

/** An upstream's answer as it goes to the client. */
export interface ResponseHead {
  /** Name and value by turns, without hop-by-hop fields. */
  readonly pairs: string[];
  /** Length of the body as the answer states it; -1 when it does not, and when trailers may come behind the body. */
  readonly length: number;
}

/**
 * Filters an answer's fields. `Trailer` stays where what it announces can follow: behind a body in chunks, or in HTTP/2.
 * @param call the request
 */
export function responseHead(
  status: number,
  headers: readonly string[],
  { method, httpVersion }: Pick<ServerCall, 'method' | 'httpVersion'>,
): ResponseHead {
  const pairs: string[] = [];
  let length = status === 204 ? 0 : -1;
  let connection = '';
  let trailer = '';
  let isGrpc = false;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    const lower = name.toLowerCase();
    if (isHopByHop(lower)) {
      if (lower === 'connection') connection = connection === '' ? value : `${connection},${value}`;
      else if (lower === 'trailer') trailer = trailer === '' ? value : `${trailer}, ${value}`;
      continue;
    }
    if (lower === 'content-length') {
      // RFC 9110, section 8.6: an answer that never has a body says nothing of its length.
      if (status === 204) continue;
      length = Number(value);
    } else if (lower === 'content-type') isGrpc = value.startsWith('application/grpc');
    pairs.push(name, value);
  }
  if (connection !== '' && connection !== 'keep-alive') removeNamedFields(pairs, connection);
  if (trailer !== '' && length === -1 && method !== 'HEAD' && httpVersion !== '1.0') addAnnouncement(pairs, trailer);
  return { pairs, length: isGrpc ? -1 : length };
}

function addAnnouncement(pairs: string[], trailer: string): void {
  const names = trailer
    .split(',')
    .map((name) => name.trim())
    .filter((name) => isTrailerName(name.toLowerCase()));
  if (names.length > 0) pairs.push('trailer', names.join(', '));
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
