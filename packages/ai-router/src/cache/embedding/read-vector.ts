import { isPacked, jsonObjectOf } from '../../engine/provider-answer.ts';
import { isJsonObject } from '../../json.ts';
import type { AdapterCall, ProviderAdapter } from '../../providers/adapter.ts';
import type { CollectedAnswer } from './collected-answer.ts';
import { EmbeddingError } from './embedder.ts';
import { fittedVector } from './fitted-vector.ts';

/** Numbers of one vector as a provider gives it. */
const NUMBERS_MAX = 65_536;

/**
 * The vector in a provider's answer, fitted.
 * @throws EmbeddingError 502 for anything else
 */
export function readVector(
  adapter: ProviderAdapter,
  call: AdapterCall,
  { status, headers, bytes }: CollectedAnswer,
  dimensions: number,
): Float32Array {
  if (status < 200 || status > 299) {
    throw new EmbeddingError(502, `the embedding provider answered with the status ${status}`);
  }
  const body = isPacked(headers) ? undefined : jsonObjectOf(bytes);
  if (body === undefined) throw malformed();
  let given: unknown;
  try {
    given = adapter.readAnswer(call, body).body['data'];
  } catch {
    throw malformed();
  }
  const [first, ...more]: readonly unknown[] = Array.isArray(given) ? given : [];
  const numbers = isJsonObject(first) && more.length === 0 ? numbersOf(first['embedding']) : undefined;
  const vector = numbers && fittedVector(numbers, dimensions);
  if (vector === undefined) throw malformed();
  return vector;
}

/** Some servers answer in base64 whatever is asked for. */
function numbersOf(embedding: unknown): readonly number[] | undefined {
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    if (bytes.byteLength % 4 !== 0 || bytes.byteLength > 4 * NUMBERS_MAX) return undefined;
    return Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.readFloatLE(4 * at));
  }
  if (!Array.isArray(embedding) || embedding.length > NUMBERS_MAX) return undefined;
  return embedding.every((number) => typeof number === 'number') ? embedding : undefined;
}

function malformed(): EmbeddingError {
  return new EmbeddingError(502, 'the embedding provider answered with something that is no vector');
}
