import { IntegrationError } from '../integration-error.ts';
import { countValues } from './json-values.ts';
import type { SyncResponse } from './sync-fetch.ts';

/** Room at first. Most answers fit. */
const FIRST_BYTES = 16 * 1024;

/** How much of a body is taken. */
export interface JsonBounds {
  readonly bytesMax: number;
  readonly valuesMax: number;
}

/** What a body holds, and how much that was. */
export interface ReadJson {
  readonly value: unknown;
  readonly bytes: number;
  readonly values: number;
}

/**
 * The JSON of a success. Never more than `bytesMax` is held, and nothing beyond it is read; what has more values is not parsed.
 * @throws IntegrationError `too_large` or `unexpected_answer`; what the body says is not repeated
 */
export async function readJson(response: SyncResponse, { bytesMax, valuesMax }: JsonBounds): Promise<ReadJson> {
  // Log-in pages and portals answer 200 with HTML.
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    throw unexpected(response, 'is not JSON by its content type');
  const bytes = await boundedBody(response, bytesMax);
  const values = countValues(bytes, valuesMax);
  if (values > valuesMax) throw tooLarge(response, `has more than ${valuesMax} values`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text), bytes: bytes.length, values };
  } catch {
    throw unexpected(response, 'is not JSON');
  }
}

function unexpected({ status }: SyncResponse, what: string): IntegrationError {
  return new IntegrationError('unexpected_answer', `the answer ${what}`, { http_status: status });
}

function tooLarge({ status }: SyncResponse, what: string): IntegrationError {
  return new IntegrationError('too_large', `the answer ${what}`, { http_status: status });
}

async function boundedBody(response: SyncResponse, bytesMax: number): Promise<Uint8Array> {
  const { body, headers } = response;
  const tooLong = (): IntegrationError => tooLarge(response, `is longer than ${bytesMax} bytes`);
  if (Number(headers.get('content-length') ?? 0) > bytesMax) throw tooLong();
  if (body === null) return new Uint8Array();
  let bytes = new Uint8Array(Math.min(FIRST_BYTES, bytesMax));
  let length = 0;
  for await (const chunk of body) {
    const nextLength = length + chunk.byteLength;
    // Leaving the loop cancels the body.
    if (nextLength > bytesMax) throw tooLong();
    if (nextLength > bytes.length) bytes = grown(bytes, Math.min(Math.max(nextLength, 2 * bytes.length), bytesMax));
    bytes.set(chunk, length);
    length = nextLength;
  }
  return bytes.subarray(0, length);
}

/** Chunks are copied and not kept: a system that sends a byte at a time would cost a hundred for each. */
function grown(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(length);
  longer.set(bytes);
  return longer;
}
