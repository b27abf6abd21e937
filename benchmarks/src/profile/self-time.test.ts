import { describe, expect, it } from 'vitest';
import { selfTimes, selfTimesByOwner } from './self-time.ts';

const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber });

const profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)') },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('route', 'file:///app/dist/main.js', 41) },
    { id: 4, callFrame: frame('', 'node:net', 9) },
    // The same function, reached by another way.
    { id: 5, callFrame: frame('route', 'file:///app/dist/main.js', 41) },
    { id: 6, callFrame: frame('write', 'file:///app/node_modules/.pnpm/undici@8/node_modules/undici/lib/h1.js', 0) },
    { id: 7, callFrame: frame('write', 'file:///app/node_modules/@scope/name/x.js', 0) },
    { id: 8, callFrame: frame('writev') },
    { id: 10, callFrame: frame('wasm-function[20]', 'wasm://wasm/00034eea', 0) },
    { id: 9, callFrame: frame('chain', 'file:///app/dist/main.js', 1) },
  ],
  samples: [2, 3, 4, 5, 6, 7, 8, 10, 9, 2],
  timeDeltas: [5, 1000, 30, 20, 10, 15, 12, 5, 3, 5],
};

describe('selfTimes', () => {
  it('adds a function up over its callers, leaves idle time out, and puts the longest first', () => {
    expect(selfTimes(profile).slice(0, 3)).toEqual([
      { name: 'route', place: 'main.js:42', owner: 'own code', share: 0.4 },
      { name: '(anonymous)', place: 'node:net:10', owner: 'node', share: 0.2 },
      { name: 'write', place: 'h1.js:1', owner: 'undici', share: 0.15 },
    ]);
  });

  it('shares out all the time that was not idle', () => {
    expect(selfTimes(profile).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
  });

  it('is empty for a profile of nothing but idling', () => {
    expect(selfTimes({ ...profile, samples: [2], timeDeltas: [10] })).toEqual([]);
  });
});

it('selfTimesByOwner names packages, Node, native code and our own', () => {
  const owners = selfTimesByOwner(selfTimes(profile)).map(({ name, share }) => [name, Number(share.toFixed(9))]);
  expect(owners).toEqual([
    ['own code', 0.45],
    ['node', 0.2],
    ['undici', 0.15],
    ['@scope/name', 0.12],
    ['native', 0.08],
  ]);
});
