import type { Dispatcher } from 'undici';
import { EgressError } from '../egress-error.ts';

/** A whole answer. */
export interface Answer {
  readonly status: number;
  /** All lines of the field joined with `, `; the name in lower case. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** An answer's head, and its body as it comes. */
type Incoming = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/**
 * Reads an answer to its end.
 * @param bytesMax of the body
 * @throws EgressError `too_large`, as soon as that is known; `unreachable` for a body in a coding that was not asked for; what broke the stream
 */
export async function readAnswer(
  { statusCode, headers, body }: Incoming,
  method: string,
  bytesMax: number,
): Promise<Answer> {
  const header = (name: string): string | undefined => joined(headers[name]);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection: nothing more of the body is read.
  if (method !== 'HEAD' && Number(header('content-length')) > bytesMax) {
    body.destroy();
    throw tooLarge(bytesMax);
  }
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (isCoded(header('content-encoding')))
      throw new EgressError('unreachable', 'the answer has a content coding, which was not asked for');
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return { status: statusCode, header, body: Buffer.concat(chunks, bytes) };
}

/** All lines of a field as one. */
export function joined(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value;
}

/** Whether a body is packed. */
export function isCoded(coding: string | undefined): boolean {
  return coding !== undefined && coding !== '' && coding.toLowerCase() !== 'identity';
}

function tooLarge(bytesMax: number): EgressError {
  return new EgressError('too_large', `the answer is longer than ${bytesMax} bytes`);
}
