import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { leafHash, verifyConsistency, verifyInclusion } from '../index.ts';

interface Vectors {
  readonly inclusion: readonly {
    readonly name: string;
    readonly leafIdx: number;
    readonly treeSize: number;
    readonly root: string;
    readonly leafHash: string;
    readonly proof: readonly string[];
    readonly wantErr: boolean;
  }[];
  readonly consistency: readonly {
    readonly name: string;
    readonly size1: number;
    readonly size2: number;
    readonly root1: string;
    readonly root2: string;
    readonly proof: readonly string[];
    readonly wantErr: boolean;
  }[];
}

const vectors = JSON.parse(readFileSync(new URL('../testdata/rfc6962.json', import.meta.url), 'utf8')) as Vectors;

it('agrees with every published inclusion proof, good and bad', () => {
  expect(vectors.inclusion).toHaveLength(98);
  const wrong = vectors.inclusion.filter(
    ({ leafIdx: index, treeSize: size, leafHash: leaf, root, proof, wantErr }) =>
      verifyInclusion({ leaf, index, size, root, proof }) === wantErr,
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('agrees with every published consistency proof, good and bad', () => {
  expect(vectors.consistency).toHaveLength(98);
  const wrong = vectors.consistency.filter(
    ({ size1: from, size2: to, root1: fromRoot, root2: toRoot, proof, wantErr }) =>
      verifyConsistency({ from, fromRoot, to, toRoot, proof }) === wantErr,
  );
  // Its roots are no hashes, which is refused here before anything is compared.
  expect(wrong.map(({ name }) => name)).toEqual(['consistency/additional/sizes-are-equal-one-and-proof-is-empty']);
  const root = leafHash('0'.repeat(64));
  expect(verifyConsistency({ from: 1, fromRoot: root, to: 1, toRoot: root, proof: [] })).toBe(true);
});
