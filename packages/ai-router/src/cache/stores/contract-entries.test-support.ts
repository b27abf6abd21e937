import { hash } from 'node:crypto';
import type { CacheEntry } from '../answer-store.ts';

export const HOUR_MS = 3_600_000;

/** A clock that a test moves by hand. */
export interface ContractClock {
  ms: number;
  nowMs(): number;
  monotonicMs(): number;
}

export function contractClock(): ContractClock {
  const clock = { ms: Date.UTC(2026, 5, 1), nowMs: () => clock.ms, monotonicMs: () => clock.ms };
  return clock;
}

/** A vector of length 1, with zeros after what is given. */
export function unit(values: readonly number[], dimensions = 16): Float32Array {
  const length = Math.hypot(...values);
  const vector = new Float32Array(dimensions);
  for (const [at, value] of values.entries()) vector[at] = value / length;
  return vector;
}

/** Another for each seed, and far from all others. */
export function vectorOfSeed(seed: number, dimensions = 16): Float32Array {
  const bytes = Buffer.from(hash('sha512', `vector ${seed}`), 'hex');
  return unit(
    Array.from({ length: dimensions }, (_, at) => bytes.readInt8(at)),
    dimensions,
  );
}

/** What a test says of an entry. */
export interface EntryFields {
  /** Names it: the same seed is the same key. */
  readonly seed: number;
  readonly clock?: ContractClock;
  readonly lastsMs?: number;
  readonly partition?: string;
  readonly prompt?: string;
  readonly body?: string;
  /** `null`: none. Default: that of the seed. */
  readonly vector?: Float32Array | null | undefined;
}

export function entryOf(fields: EntryFields): CacheEntry {
  const { seed, clock = contractClock(), lastsMs = 24 * HOUR_MS, partition = 'p', vector } = fields;
  const { prompt = `prompt ${seed}`, body = `{"answer":${seed}}` } = fields;
  return {
    key: hash('sha256', `key ${seed}`),
    partition: hash('sha256', `partition ${partition}`),
    prompt,
    ...(vector !== null && { vector: vector ?? vectorOfSeed(seed) }),
    answer: { body, provider: 'openai', model: 'gpt', storedAtMs: clock.ms, expiresAtMs: clock.ms + lastsMs },
  };
}
