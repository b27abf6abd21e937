import { AdminTransportError } from './transport-error.ts';

/** Bytes of an answer that are read at most: four times the largest configuration that the API takes. */
export const answerBytesMax: number = 256 * 1024 * 1024;

/**
 * The body of an answer: parsed when it is JSON, text otherwise, `undefined` when there is none.
 * @throws AdminTransportError when it is too large, or no JSON although it says so
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await readText(response);
  if (text === '') return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/(?:[a-z0-9.+-]+\+)?json\b/i.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AdminTransportError('invalid_response', 'the answer says that it is JSON and is not', error);
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) {
      throw new AdminTransportError('invalid_response', `the answer is larger than ${answerBytesMax} bytes`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
