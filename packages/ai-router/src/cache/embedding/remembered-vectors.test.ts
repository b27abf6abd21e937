import { describe, expect, it } from 'vitest';
import { RememberedVectors } from './remembered-vectors.ts';

describe('vectors that are remembered', () => {
  const vector = (value: number) => new Float32Array(64).fill(value);

  it('are found by their own embedder only', () => {
    const vectors = new RememberedVectors();
    const [one, other] = [{}, {}];
    vectors.set(one, 'text', vector(1));
    expect(vectors.get(one, 'text')).toEqual(vector(1));
    expect(vectors.get(other, 'text')).toBeUndefined();
    vectors.set(other, 'text', vector(2));
    expect(vectors.get(one, 'text')).toEqual(vector(1));
  });

  it('stay within their bound, all together; those that were used last stay', () => {
    const vectors = new RememberedVectors(10_000);
    const [one, other] = [{}, {}];
    vectors.set(one, 'kept', vector(1));
    for (let at = 0; at < 200; at += 1) {
      vectors.set(other, `text ${at}`, vector(at));
      vectors.set(other, `text ${at}`, vector(at));
      expect(vectors.get(one, 'kept')).toBeDefined();
      expect(vectors.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(vectors.get(other, 'text 0')).toBeUndefined();
    expect(vectors.get(other, 'text 199')).toEqual(vector(199));
  });
});
