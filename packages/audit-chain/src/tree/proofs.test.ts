import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CompactRange,
  consistencyProof,
  inclusionProof,
  leafHash,
  subtreeCount,
  verifyConsistency,
  verifyInclusion,
  type ReadSubtree,
} from '../index.ts';

const LEAVES = 70;
const nodes = new Map<string, string>();
const roots: string[] = [CompactRange.empty().root()];
const leaves: string[] = [];
const tree = CompactRange.empty();
for (let index = 0; index < LEAVES; index++) {
  leaves.push(leafHash(index.toString(16).padStart(64, '0')));
  tree.append(leaves[index] ?? '', (level, position, hash) => nodes.set(`${level}/${position}`, hash));
  roots.push(tree.root());
}

/** Gives only subtrees that are complete in a tree of that size, as a store would. */
function readerOf(size: number): ReadSubtree {
  return async (level, position) => {
    const hash = (position + 1) * 2 ** level <= size ? nodes.get(`${level}/${position}`) : undefined;
    if (hash === undefined) throw new Error(`no subtree ${level}/${position} in a tree of ${size}`);
    return hash;
  };
}

it('proves every leaf in every tree', async () => {
  for (let size = 1; size <= LEAVES; size++) {
    for (let index = 0; index < size; index++) {
      const claim = { leaf: leaves[index] ?? '', index, size, root: roots[size] ?? '' };
      const proof = await inclusionProof(index, size, readerOf(size));
      expect(verifyInclusion({ ...claim, proof })).toBe(true);
      expect(verifyInclusion({ ...claim, proof, index: (index + 1) % size })).toBe(size === 1);
    }
  }
  await expect(inclusionProof(3, 3, readerOf(3))).rejects.toThrow('no leaf 3 in a tree of 3');
});

it('proves every tree the beginning of every later one', async () => {
  for (let to = 1; to <= LEAVES; to++) {
    for (let from = 1; from <= to; from++) {
      const claim = { from, fromRoot: roots[from] ?? '', to, toRoot: roots[to] ?? '' };
      const proof = await consistencyProof(from, to, readerOf(to));
      expect(verifyConsistency({ ...claim, proof })).toBe(true);
      expect(verifyConsistency({ ...claim, proof, fromRoot: roots[from - 1] ?? '' })).toBe(false);
    }
  }
  await expect(consistencyProof(0, 3, readerOf(3))).rejects.toThrow('no proof from 0 to 3');
});

it('refuses every proof with one hash changed, added or taken out', async () => {
  const positions = fc
    .integer({ min: 1, max: LEAVES })
    .chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size - 1 })));
  await fc.assert(
    fc.asyncProperty(positions, fc.nat(), fc.constantFrom('change', 'add', 'take'), async ([size, index], at, how) => {
      const proof = [...(await inclusionProof(index, size, readerOf(size)))];
      if (how !== 'add' && proof.length === 0) return;
      const place = proof.length === 0 ? 0 : at % proof.length;
      proof.splice(place, how === 'add' ? 0 : 1, ...(how === 'take' ? [] : ['f'.repeat(64)]));
      expect(verifyInclusion({ leaf: leaves[index] ?? '', index, size, root: roots[size] ?? '', proof })).toBe(false);
    }),
  );
});

it('goes on from the roots of its subtrees as if it had all leaves', () => {
  for (let size = 0; size < LEAVES; size++) {
    const before = CompactRange.empty();
    for (const leaf of leaves.slice(0, size)) before.append(leaf);
    expect(before.hashes).toHaveLength(subtreeCount(size));
    const range = CompactRange.from(size, before.hashes);
    for (const leaf of leaves.slice(size)) range.append(leaf);
    expect(range.root()).toBe(roots[LEAVES]);
  }
  expect(() => CompactRange.from(3, ['0'.repeat(64)])).toThrow('a tree of 3 leaves has 2 perfect subtrees, not 1');
  expect(() => CompactRange.from(1, ['x'])).toThrow('no SHA-256 hash');
});
