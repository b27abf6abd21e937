import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { tokenCount } from '../chat-form/chat-usage.ts';
import { embeddingsAnswer, readEmbeddingsRequest } from '../chat-form/embeddings.ts';
import { MalformedAnswerError, UnsupportedRequestError } from '../errors.ts';

/**
 * Texts as InvokeModel takes them: each family of models has a form of its own. Titan's takes one text a request.
 * Source: Amazon Bedrock, Amazon Titan Embeddings Text; Cohere Embed.
 * @throws UnsupportedRequestError also for models of other families
 */
export function bedrockEmbeddingsRequest({ body, model }: AdapterCall): JsonObject {
  const { texts, dimensions } = readEmbeddingsRequest(body);
  if (model.includes('cohere.embed')) {
    return { texts, input_type: 'search_document', ...(dimensions !== undefined && { output_dimension: dimensions }) };
  }
  if (!model.includes('amazon.titan-embed'))
    throw new UnsupportedRequestError('embeddings of this model are not known');
  const [inputText] = texts;
  if (texts.length > 1) throw new UnsupportedRequestError('this model takes one text a request');
  return { inputText, ...(dimensions !== undefined && { dimensions }) };
}

/** @throws MalformedAnswerError for what is no answer of these models */
export function bedrockEmbeddingsAnswer(call: AdapterCall, body: JsonObject): ReadAnswer {
  const { embedding, embeddings } = body;
  const given = isJsonObject(embeddings) ? embeddings['float'] : embeddings;
  const vectors: unknown = embedding === undefined ? given : [embedding];
  if (!Array.isArray(vectors) || vectors.length === 0 || !vectors.every(isVector)) {
    throw new MalformedAnswerError('the answer has no embeddings');
  }
  const inputTokens = tokenCount(body, 'inputTextTokenCount');
  const usage = inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 };
  return embeddingsAnswer(call.body, { model: call.model, vectors, usage });
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}
