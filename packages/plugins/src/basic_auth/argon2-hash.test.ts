import { describe, expect, it } from 'vitest';
import { DECOY_HASH, LANES_MAX, MEMORY_KIB_MAX, PASSES_MAX, fitsHash } from './argon2-hash.ts';
import { cheapHash } from './credentials.test-support.ts';

const parts = (cost: string): string => `$argon2id$v=19$${cost}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

describe('a check against an Argon2id hash', () => {
  it.each([
    ['one lane', {}],
    ['several lanes and passes', { memory: 128, passes: 3, parallelism: 4 }],
    ['the cost of the control plane', { memory: 19_456, passes: 2 }],
  ])('finds the right password and no other: %s', async (_name, cost) => {
    const hash = cheapHash('pässword', cost);
    expect(await Promise.all([fitsHash('pässword', hash), fitsHash('password', hash), fitsHash('', hash)])).toEqual([
      ...[true, false, false],
    ]);
  });

  it('tells long passwords apart by their last character', async () => {
    const hash = cheapHash(`${'p'.repeat(255)}1`);
    expect([await fitsHash(`${'p'.repeat(255)}1`, hash), await fitsHash(`${'p'.repeat(255)}2`, hash)]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['too much memory', parts(`m=${MEMORY_KIB_MAX + 1},t=1,p=1`)],
    ['too many passes', parts(`m=64,t=${PASSES_MAX + 1},p=1`)],
    ['too many lanes', parts(`m=64,t=1,p=${LANES_MAX + 1}`)],
    ['too little memory for its lanes', parts('m=31,t=1,p=4')],
    ['numbers that are none', parts('m=1e9,t=1,p=1')],
    ['a number with many digits', parts('m=9999999999,t=1,p=1')],
    ['no memory', parts('m=0,t=1,p=1')],
    ['another kind', cheapHash('p').replace('argon2id', 'argon2i')],
    ['another version', cheapHash('p').replace('v=19', 'v=16')],
    ['no tag', cheapHash('p').replace(/[^$]+$/, '')],
    ['a short tag', cheapHash('p').replace(/[^$]+$/, 'AAAA')],
    ['more behind it', `${cheapHash('p')}$`],
    ['nothing', ''],
    ['the password', 'p'],
  ])('lets nothing fit a hash with %s', async (_name, hash) => {
    expect(await fitsHash('p', hash)).toBe(false);
  });

  it('lets nothing fit the decoy, which costs what hashes of the control plane cost', async () => {
    expect(await fitsHash('', DECOY_HASH)).toBe(false);
    expect(DECOY_HASH).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  });
});
