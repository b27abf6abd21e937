import type { JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';
import type { ReadAnswer } from '../adapter.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { countField, stringField, stringsField } from './field.ts';

/** What a client wants vectors of. */
export interface EmbeddingsRequest {
  /** At least one; none is empty. */
  readonly texts: readonly string[];
  readonly dimensions?: number;
}

/**
 * A request in OpenAI's form `embeddings`.
 * @throws UnsupportedRequestError for wrong types, and for tokens in place of text: each provider counts its own
 */
export function readEmbeddingsRequest(body: JsonObject): EmbeddingsRequest {
  const texts = stringsField(body, 'input');
  if (texts.length === 0 || texts.includes(''))
    throw new UnsupportedRequestError('input must be text that is not empty');
  const dimensions = countField(body, 'dimensions');
  // Read again with the answer, when it is too late to refuse it.
  stringField(body, 'encoding_format');
  return { texts, ...(dimensions !== undefined && { dimensions }) };
}

/**
 * Vectors as OpenAI's clients want them: as numbers, or as base64 of little-endian floats when they say so, which OpenAI's own client
 * always does.
 */
export function embeddingsAnswer(
  request: JsonObject,
  answer: {
    readonly model: string;
    readonly vectors: readonly (readonly number[])[];
    readonly usage: Usage | undefined;
  },
): ReadAnswer {
  const { model, vectors, usage } = answer;
  const isText = stringField(request, 'encoding_format') === 'base64';
  const body: JsonObject = {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: isText ? asBase64(vector) : vector,
    })),
    model,
    ...(usage !== undefined && { usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens } }),
  };
  return { body, isOriginal: false, model, textLength: 0, ...(usage !== undefined && { usage }) };
}

function asBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes.toString('base64');
}
