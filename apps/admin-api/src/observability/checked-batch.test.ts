import { observationBatch } from '@portcullis/resources';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Problem } from '../http/problem.ts';
import { checkedBatch, isObservationBatch } from './checked-batch.ts';
import { batch, counter, record } from './observations.test-support.ts';

const full = {
  ...batch(1, { dropped_records: 3 }),
  counters: [
    { ...counter, over: [[250_000, 1]] },
    { ...counter, route_id: undefined, service_id: undefined },
  ],
  records: [
    record('a', {
      service_id: 's',
      route_id: 'r',
      consumer_id: 'c',
      path_template: '/a',
      upstream_latency_us: 4,
      plugins: [{ name: 'p', stage: 'request', outcome: 'continue', duration_us: 3 }],
      ai: { model: 'm', usage: { input_tokens: 4 } },
    }),
    record('b'),
  ],
};
const text = JSON.stringify(full);
const fresh = (): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** Every place in a document. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function changed(path: readonly string[], change: (at: Record<string, unknown>, key: string) => void): unknown {
  const document: Record<string, unknown> = { root: fresh() };
  const steps = ['root', ...path];
  let at = document;
  for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>;
  change(at, steps.at(-1) ?? '');
  return document['root'];
}

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'x'.repeat(129), 'x'.repeat(2049), 0, -1, 1.5, 1e16, 600, 99, [], {}),
  fc.constantFrom<unknown>([1], [1, 2, 3], [[1, 2]], { a: 1 }, Number.MAX_SAFE_INTEGER, 86_400_000_001, 4000),
  fc.string(),
  fc.double(),
  fc.integer(),
);

describe('the check of a batch', () => {
  it('refuses what AI plugins said when it is too deep, with and without the schema', () => {
    const nested = (levels: number): Record<string, unknown> =>
      Array.from({ length: levels - 1 }).reduce<Record<string, unknown>>((inner) => ({ inner: [inner] }), {});
    const said = (ai: Record<string, unknown>): unknown => ({ ...fresh(), records: [record('a', { ai })] });
    // Each level of `nested` but the last is an object and a list.
    for (const [levels, isTaken] of [
      [4, true],
      [5, false],
      [20_000, false],
    ] as const) {
      const sent = said({ ai: nested(levels) });
      expect([levels, isObservationBatch(sent), v.is(observationBatch, sent)]).toEqual([levels, isTaken, isTaken]);
    }
  });

  it('lets what gateways send through without the schema, as it is', () => {
    const document = fresh();
    expect(isObservationBatch(document)).toBe(true);
    expect(checkedBatch(document)).toBe(document);
    expect(v.parse(observationBatch, document)).toEqual(document);
  });

  it('never lets anything through that the schema refuses or changes', () => {
    const places = placesIn(fresh());
    const broken = fc.record({
      place: fc.constantFrom(...places),
      value: odd,
      how: fc.constantFrom('set', 'drop', 'add'),
    });
    fc.assert(
      fc.property(broken, ({ place, value, how }) => {
        const made = changed(place, (at, key) => {
          if (how === 'set') at[key] = value;
          else if (how === 'drop') delete at[key];
          else if (typeof at[key] === 'object' && at[key] !== null && !Array.isArray(at[key])) {
            Object.defineProperty(at[key], value === null ? '__proto__' : JSON.stringify(value), {
              value,
              enumerable: true,
            });
          }
        });
        // Nothing comes that JSON does not know, such as a hole in a list.
        const document: unknown = JSON.parse(JSON.stringify(made) ?? 'null');
        const judged = v.safeParse(observationBatch, document);
        if (!isObservationBatch(document)) return;
        expect(judged.success).toBe(true);
        expect(judged.output).toEqual(document);
      }),
      { numRuns: 2000 },
    );
  });

  it('says what is wrong as the schema does', () => {
    const wrong = changed(['counters', '0', 'requests'], (at, key) => (at[key] = -1));
    let thrown: unknown;
    try {
      checkedBatch(wrong);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Problem);
    expect(thrown).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/counters/0/requests' }] });
  });
});
