import type { LogRecord } from '../shared/records/log-record.ts';
import { safeJson } from '../shared/records/safe-json.ts';

/**
 * Longest record, in bytes. Longer datagrams exist, but common receivers cut them (rsyslog and Graylog at 8 KiB by default), and
 * one of whose fragments is lost is lost whole.
 */
export const DATAGRAM_BYTES_MAX = 8192;

/** Characters that are left of a long text. */
const TEXT_LENGTH_MAX = 128;

/** Groups of a consumer that are left. */
const GROUPS_MAX = 8;

/**
 * A record as JSON that fits a datagram. One that is too long loses its headers, then the ends of its texts, and says so with
 * `"truncated": true`: half a JSON object would be none.
 * @returns `undefined` for a record that does not fit even then
 */
export function fittingRecord(record: LogRecord): string | undefined {
  const whole = jsonOf(record);
  if (isFitting(whole)) return whole;
  const { request_headers: _request, response_headers: _response, ...bare } = record;
  const withoutHeaders = jsonOf({ ...bare, truncated: true });
  if (isFitting(withoutHeaders)) return withoutHeaders;
  const short = jsonOf({ ...(shortened(bare) as object), truncated: true });
  return isFitting(short) ? short : undefined;
}

function jsonOf(record: object): string {
  return safeJson(JSON.stringify(record));
}

function isFitting(text: string): boolean {
  // A character takes three bytes at most for each unit of a JavaScript string.
  return text.length * 3 <= DATAGRAM_BYTES_MAX || Buffer.byteLength(text) <= DATAGRAM_BYTES_MAX;
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, TEXT_LENGTH_MAX).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, GROUPS_MAX).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
