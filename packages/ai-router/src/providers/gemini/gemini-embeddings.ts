import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { tokenCount } from '../chat-form/chat-usage.ts';
import { embeddingsAnswer, readEmbeddingsRequest } from '../chat-form/embeddings.ts';
import { MalformedAnswerError } from '../errors.ts';

/**
 * Texts as `batchEmbedContents` takes them.
 * @param model with `models/` before it
 * @throws UnsupportedRequestError
 */
export function geminiEmbeddingsRequest(body: JsonObject, model: string): JsonObject {
  const { texts, dimensions } = readEmbeddingsRequest(body);
  return {
    requests: texts.map((text) => ({
      model,
      content: { parts: [{ text }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    })),
  };
}

/** @throws MalformedAnswerError for what is no answer of `batchEmbedContents` */
export function geminiEmbeddingsAnswer(call: AdapterCall, body: JsonObject): ReadAnswer {
  const vectors = objectsOf(body['embeddings']).map((embedding) => vectorOf(embedding['values']));
  const inputTokens = tokenCount(body['usageMetadata'], 'promptTokenCount');
  const usage = inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 };
  return embeddingsAnswer(call.body, { model: call.model, vectors, usage });
}

/**
 * Texts as `predict` of Vertex AI takes them.
 * @throws UnsupportedRequestError
 */
export function vertexEmbeddingsRequest(body: JsonObject): JsonObject {
  const { texts, dimensions } = readEmbeddingsRequest(body);
  return {
    instances: texts.map((content) => ({ content })),
    ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
  };
}

/** @throws MalformedAnswerError for what is no answer of `predict` */
export function vertexEmbeddingsAnswer(call: AdapterCall, body: JsonObject): ReadAnswer {
  const embeddings = objectsOf(body['predictions']).map(({ embeddings }) => embeddings);
  const vectors = embeddings.map((given) => vectorOf(isJsonObject(given) ? given['values'] : undefined));
  let inputTokens: number | undefined;
  for (const given of embeddings) {
    const counted = tokenCount(isJsonObject(given) ? given['statistics'] : undefined, 'token_count');
    if (counted !== undefined) inputTokens = (inputTokens ?? 0) + counted;
  }
  const usage = inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 };
  return embeddingsAnswer(call.body, { model: call.model, vectors, usage });
}

function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isJsonObject)) {
    throw new MalformedAnswerError('the answer has no embeddings');
  }
  return value;
}

function vectorOf(values: unknown): readonly number[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'number')) {
    throw new MalformedAnswerError('an embedding is no list of numbers');
  }
  return values;
}
