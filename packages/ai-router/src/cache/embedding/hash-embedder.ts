import { hashVector } from '../../routing/semantic/hash-vector.ts';
import { type Embedder, EMBEDDED_LENGTH_MAX } from './embedder.ts';

/** The router's own vectors by feature hashing. Source: ai, Semantic routing by feature hashing. */
export function hashEmbedder(dimensions: number): Embedder {
  return {
    dimensions,
    id: `hash:${dimensions}`,
    isBuiltIn: true,
    embed(text) {
      if (text.length > EMBEDDED_LENGTH_MAX) return undefined;
      const { values, stems } = hashVector(text, dimensions);
      return stems.size === 0 ? undefined : values;
    },
  };
}
