import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { InvalidConfigError } from '../config/problems.ts';
import { readModelRoute } from './read-route.ts';
import { modelRoutesSchema, readModelRoutes } from './route-list.ts';
import { modelRouteSchema } from './route-schema.ts';

const targets = [{ provider: 'p', model: 'm' }];
const places = (given: unknown): unknown => {
  const result = v.safeParse(modelRoutesSchema, given);
  return result.success ? [] : result.issues.map((issue) => v.getDotPath(issue));
};

describe('a route', () => {
  it('has the defaults of the requirement, and the name of its record', () => {
    expect(readModelRoute('chat', { targets }, 'r1')).toEqual({
      id: 'r1',
      model: 'chat',
      aliases: [],
      strategy: 'ordered',
      targets: [
        { provider: 'p', model: 'm', priority: 0, weight: 1, keywords: [], hints: [], enabled: true, params: {} },
      ],
      latencyEwmaAlpha: 0.3,
      latencyColdStart: 'configured',
      vectorDimensions: 256,
    });
  });

  it('takes every other name of strategies and fields', () => {
    const aliased = { ...targets[0], latency: 7, routing_keywords: 'k', routing_hints: ['h'] };
    const route = readModelRoute('chat', { strategy: 'least_latent', targets: [aliased] });
    expect(route).toMatchObject({
      strategy: 'least_latency',
      targets: [{ latencyMs: 7, keywords: ['k'], hints: ['h'] }],
    });
    expect(readModelRoute('c', { strategy: 'semantic_router', targets }).strategy).toBe('semantic');
    expect(readModelRoute('c', { targets: [{ ...targets[0], configured_latency_ms: 9 }] }).targets[0]?.latencyMs).toBe(
      9,
    );
  });

  it('moves to the bounds what lies beyond them, and leaves out what it does not know', () => {
    const config = { targets, latency_ewma_alpha: 0.000_1, vector_dimensions: 100_000, added_later: true };
    expect(readModelRoute('chat', config)).toMatchObject({ latencyEwmaAlpha: 0.01, vectorDimensions: 512 });
    expect(readModelRoute('chat', { targets, vector_dimensions: 1 }).vectorDimensions).toBe(8);
    expect(v.is(modelRouteSchema, config)).toBe(false);
  });

  it('says what is wrong without repeating it', () => {
    const wrong = { targets: [{ provider: 'p', model: 'secret\n' }], strategy: 'constructor' };
    const read = (): unknown => readModelRoute('chat', wrong);
    expect(read).toThrow(InvalidConfigError);
    expect(read).toThrow(/\/strategy must be one of .*\/targets\/0\/model must not contain control characters/s);
    expect(read).not.toThrow(/secret/);
  });
});

describe('lists and maps of routes', () => {
  it('are read alike, with names that objects have by themselves', () => {
    const list = [
      { model: 'a', targets },
      { model: '__proto__', targets, aliases: ['toString'] },
      { model: 'constructor', targets },
    ];
    const map = JSON.parse('{"a":{},"__proto__":{"aliases":["toString"]},"constructor":{}}') as Record<string, object>;
    const entries = Object.entries(map).map(([model, fields]) => [model, { ...fields, targets }]);
    const asMap: unknown = Object.fromEntries(entries);
    expect(places(list)).toEqual([]);
    expect(places(asMap)).toEqual([]);
    expect(readModelRoutes(asMap, 'i')).toEqual(readModelRoutes(list, 'i'));
    expect(readModelRoutes(list, 'i').map(({ id }) => id)).toEqual(['i:a', 'i:__proto__', 'i:constructor']);
    const parsed = v.parse(modelRoutesSchema, asMap);
    expect(readModelRoutes(parsed, 'i')).toEqual(readModelRoutes(list, 'i'));
    expect(readModelRoutes(undefined, 'i')).toEqual([]);
  });

  it.each([
    [
      [
        { model: 'a', targets },
        { model: 'a', targets },
      ],
      ['1.model'],
    ],
    [
      [
        { model: 'a', targets, aliases: ['b'] },
        { model: 'b', targets },
      ],
      ['1.model'],
    ],
    [[{ model: 'a', targets, aliases: ['a'] }], ['0.aliases.0']],
    [[{ targets }], ['0.model']],
    [{ a: { targets, model: 'b' } }, ['a.model']],
    [{ a: { targets }, b: { targets, aliases: ['a'] } }, ['b.aliases.0']],
    [{ 'a*b': { targets } }, ['a*b']],
    [[{ model: 'a', targets: [] }], ['0.targets']],
    [{ a: { targets: [{ provider: 'p' }] } }, ['a.targets.0.model']],
    [{ a: { targets, bogus: 1 }, b: 5 }, ['a.bogus', 'b']],
    ['text', [null]],
    [null, [null]],
  ])('%j is refused at %j', (given, expected) => {
    expect(places(given)).toEqual(expected);
    if (given !== null && !JSON.stringify(given).includes('bogus') && typeof given === 'object') {
      expect(() => readModelRoutes(given, 'i')).toThrow(InvalidConfigError);
    }
  });
});
