import { AnswerStream } from './answer-stream.ts';
import { encodeBody, NO_BYTES } from './body-bytes.ts';
import { isFieldName, isFieldValue, isSameName } from './header-field.ts';
import type { BodyStream, ResponderAnswer } from './responder.ts';
import { isFinalStatus } from './response-state.ts';

/** A responder's answer that can be sent. */
export interface CheckedAnswer {
  readonly status: number;
  /** Name and value by turns, without those that frame a body; the host's own from here on. */
  readonly headers: string[];
  readonly source: 'upstream' | 'plugin';
  readonly body: Uint8Array | AnswerStream;
}

/**
 * Checks and copies an answer.
 * @param onFault told what is wrong with a body that streams
 * @throws TypeError for what is no answer
 */
export function checkedAnswer(given: ResponderAnswer, onFault: (error: unknown) => void): CheckedAnswer {
  if (typeof given !== 'object' || given === null) throw new TypeError('a responder gives an answer');
  const { status, headers = [], body = NO_BYTES, source } = given;
  if (!isFinalStatus(status)) throw new TypeError('the status of an answer is a whole number from 200 to 599');
  if (source !== 'upstream' && source !== 'plugin')
    throw new TypeError('the source of an answer is upstream or plugin');
  return { status, headers: checkedFields(headers), source, body: checkedBody(body, onFault) };
}

function checkedBody(body: NonNullable<ResponderAnswer['body']>, onFault: (error: unknown) => void) {
  if (body instanceof Uint8Array) return body;
  if (typeof body === 'string') return encodeBody(body);
  if (!isBodyStream(body)) throw new TypeError('the body of an answer is text, bytes or a stream of them');
  return new AnswerStream(body, onFault);
}

function isBodyStream(body: unknown): body is BodyStream {
  if (typeof body !== 'object' || body === null) return false;
  const { start, resume, cancel } = body as Partial<BodyStream>;
  return [start, resume, cancel].every((method) => typeof method === 'function');
}

/**
 * The fields of a message that a plugin made: name and value by turns, without those that the host says of a body itself.
 * @throws TypeError for what may not be sent; a value is never part of the message
 */
export function checkedFields(headers: readonly string[]): string[] {
  if (!Array.isArray(headers)) throw new TypeError('the headers of a response are names and values by turns');
  const pairs: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string];
    if (!isFieldName(name) || !isFieldValue(value)) throw new TypeError('a response has a header that may not be sent');
    if (!FRAMING.some((own) => isSameName(name, own))) pairs.push(name, value);
  }
  return pairs;
}

/** What the host says of a body itself, whatever a plugin says. */
const FRAMING = ['content-length', 'transfer-encoding', 'trailer'] as const;
