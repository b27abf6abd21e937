import { editedBody, isJsonObject, type AiOperation, type BodyEdits, type JsonObject } from '@portcullis/ai-router';
import type { Exchange } from '@portcullis/plugin-runtime';
import type { BodyFault } from '../bodies/body-problems.ts';
import type { BodyEncoding } from '../bodies/body-coding.ts';
import { contentTypeMatcher } from '../bodies/content-types.ts';
import { requestText, type BodyReading } from '../bodies/readable-body.ts';
import { replacedBody, withoutDigests, type ReplacedBody } from '../bodies/replaced-body.ts';
import { operationOfBody, operationOfPath } from './asked-operation.ts';
import { isBounded, jsonShape, memberCount, REQUEST_CONTAINERS_MAX } from './json-shape.ts';

/** Bytes of requests that are read where a plugin has no field for it: images and documents go with them. */
export const CHAT_BYTES_MAX = 16_777_216;

/**
 * Reads every body, whatever type it says: who stands behind the gateway reads a chat by its path, and a client must not pass a plugin by
 * calling its JSON something else.
 */
export const CHAT_READING: BodyReading = Object.freeze({
  matches: contentTypeMatcher(['*/*']),
  bytesMax: CHAT_BYTES_MAX,
  readsStreams: true,
});

/** A request to a model, read. */
export interface ChatRequest {
  readonly operation: AiOperation;
  /** Never changed in place but by who writes all of it anew. */
  readonly body: JsonObject;
  readonly text: string;
  readonly encoding: BodyEncoding | undefined;
  /** Whether a name stands in it twice: readers differ in what they take it for. */
  readonly isAmbiguous: boolean;
}

/** What came of reading one: `undefined` for a request without a body; a fault; or what cannot be a request to a model. */
export type ReadChatRequest = ChatRequest | BodyFault | 'other' | undefined;

/**
 * Reads a request.
 * @param otherwise what a JSON object is taken for whose operation neither path nor members say. Default: it is `other`
 */
export async function readChatRequest(
  exchange: Exchange,
  reading: BodyReading,
  otherwise?: AiOperation,
): Promise<ReadChatRequest> {
  const read = await requestText(exchange, reading);
  if (read.kind === 'problem') return read.problem;
  if (read.kind === 'absent') return read.absence === 'empty' ? undefined : 'other';
  const { text, encoding } = read;
  const shape = jsonShape(text);
  if (!isBounded(shape) || shape.containers > REQUEST_CONTAINERS_MAX)
    return /^\s*\{/.test(text) ? 'too_complex' : 'malformed';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (!isJsonObject(body)) return 'malformed';
  const operation = operationOfPath(exchange.request) ?? operationOfBody(body) ?? otherwise;
  if (operation === undefined) return 'other';
  return { operation, body, text, encoding, isAmbiguous: memberCount(body) !== shape.members };
}

/** Edits that set members of a request's body; what stands around them goes on as it came: digits, order, blanks. */
export async function editedRequest(
  { body, text, encoding, isAmbiguous }: ChatRequest,
  edits: BodyEdits,
): Promise<ReplacedBody> {
  const bytes = isAmbiguous ? undefined : Buffer.from(text);
  const written = editedBody(bytes === undefined ? { body } : { body, bytes }, edits);
  if (encoding === undefined && typeof written !== 'string') return { body: written, headers: NO_DIGESTS };
  return replacedBody(typeof written === 'string' ? written : Buffer.from(written).toString('utf8'), encoding);
}

/** Edits that write a whole request anew. */
export function rewrittenRequest({ body, encoding }: ChatRequest): Promise<ReplacedBody> {
  return replacedBody(JSON.stringify(body), encoding);
}

const NO_DIGESTS = withoutDigests();
