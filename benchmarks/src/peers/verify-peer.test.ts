import { describe, expect, it } from 'vitest';
import { mistakesOf } from './verify-peer.ts';
import type { Sighting } from './verify-peer.ts';

const plain: Sighting = {
  status: 200,
  body: 'x'.repeat(128),
  answerHeaders: { 'x-bench-upstream': 'to be removed' },
  upstreamHeaders: { 'x-bench-client': 'to be removed' },
  statusWithoutKey: 200,
  statusWithWrongKey: 200,
};

const policies: Sighting = {
  ...plain,
  answerHeaders: { 'x-bench-response': 'edited' },
  upstreamHeaders: { 'x-bench-request': 'edited' },
  statusWithoutKey: 401,
  statusWithWrongKey: 401,
};

describe('mistakesOf', () => {
  it('finds none in peers that do what is asked', () => {
    expect(mistakesOf('plain', plain)).toEqual([]);
    expect(mistakesOf('policies', policies)).toEqual([]);
  });

  it.each<[string, Partial<Sighting>]>([
    ['answers something else', { status: 502 }],
    ['makes the answer up', { body: 'ok' }],
    ['lets anybody in', { statusWithoutKey: 200 }],
    ['takes any key', { statusWithWrongKey: 200 }],
    ['sets no request header', { upstreamHeaders: { host: 'x' } }],
    ['leaves the request header', { upstreamHeaders: { 'x-bench-request': 'edited', 'x-bench-client': 'c' } }],
    ['sets no response header', { answerHeaders: {} }],
    ['leaves the response header', { answerHeaders: { 'x-bench-response': 'edited', 'x-bench-upstream': 'u' } }],
  ])('catches a peer with policies that %s', (_case, difference) => {
    expect(mistakesOf('policies', { ...policies, ...difference })).toHaveLength(1);
  });

  it('catches policies in a peer that should have none, and the other way round', () => {
    expect(mistakesOf('plain', policies).length).toBeGreaterThan(3);
    expect(mistakesOf('policies', plain).length).toBeGreaterThan(3);
  });
});
