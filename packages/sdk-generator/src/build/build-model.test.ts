import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describedDocument } from '../checks/described-models.test-support.ts';
import { buildModel } from './build-model.ts';
import { sdkLimits } from './limits.ts';

const info = { title: 'T', version: '1' };
const problemsOf = (document: unknown, baseUrl?: string) => {
  const building = buildModel(document, baseUrl);
  return building.ok ? [] : building.problems.map(({ code }) => code);
};

describe('the address of an API', () => {
  const baseUrlOf = (servers: readonly unknown[] | undefined, chosen?: string) => {
    const building = buildModel({ openapi: '3.1.0', info, paths: {}, ...(servers ? { servers } : {}) }, chosen);
    return building.ok ? building.model.baseUrl : building.problems[0]?.code;
  };

  it('is the first usable server, with what the caller knows before it', () => {
    expect(baseUrlOf([{ url: 'https://a.example/v1/' }])).toBe('https://a.example/v1');
    expect(baseUrlOf([{ url: 'ftp://a.example' }, { url: 'https://b.example' }])).toBe('https://b.example');
    expect(baseUrlOf([{ url: '/v1' }])).toBeUndefined();
    expect(baseUrlOf(undefined)).toBeUndefined();
    expect(baseUrlOf([{ url: '/v1' }], 'https://c.example/base/')).toBe('https://c.example/base/v1');
    expect(baseUrlOf([{ url: 'https://a.example/v1' }], 'https://c.example')).toBe('https://c.example');
  });

  it.each([
    'c.example',
    'file:///etc',
    'https://user:secret@c.example',
    'https://c.example/?a=b',
    'https://c.example/#a',
    '',
  ])('is not %j', (chosen) => expect(baseUrlOf(undefined, chosen)).toBe('sdk_base_url'));
});

describe('documents that nobody vouches for', () => {
  it('are refused as the reader of descriptions refuses them', () => {
    expect(problemsOf(undefined)).toEqual(['type']);
    expect(problemsOf({ swagger: '2.0' })).toEqual(['version']);
    expect(problemsOf({ openapi: '3.1.0', info, paths: { '/a': { $ref: 'https://example.com/a' } } })).toEqual([
      'reference_remote',
    ]);
  });

  it('are refused where names cannot stand on the wire', () => {
    const schema = (properties: object) => ({ schema: { type: 'object', properties } });
    const document = (properties: object) => ({
      openapi: '3.1.0',
      info,
      paths: {
        '/a': { get: { responses: { 200: { description: '', content: { 'application/json': schema(properties) } } } } },
      },
    });
    expect(problemsOf(document({ '\ud800': {} }))).toEqual(['sdk_unsupported']);
    expect(problemsOf(document({ ['a'.repeat(sdkLimits.nameLengthMax + 1)]: {} }))).toEqual(['sdk_unsupported']);
  });

  it('have at most so many operations', () => {
    const paths = Object.fromEntries(
      Array.from({ length: sdkLimits.operationsMax + 1 }, (_, index) => [`/p${index}`, { get: {} }]),
    );
    expect(problemsOf({ openapi: '3.1.0', info, paths })).toEqual(['sdk_too_large']);
  });

  it('end soon where schemas repeat each other again and again', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const wide = (keyword: string, count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `S${index}`,
          { [keyword]: [ref(`S${index + 1}`), ref(`S${index + 1}`)] },
        ]),
      );
    const lists = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `S${index}`,
        {
          oneOf: [
            { type: 'array', items: ref(`S${index + 1}`) },
            { type: 'array', items: ref(`S${index + 1}`) },
            ref('S0'),
          ],
        },
      ]),
    );
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, { type: 'string' }]));
    const merged = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [
        `M${index}`,
        { allOf: [ref('Base'), { properties: { [`own${index}`]: {} } }] },
      ]),
    );
    const all = {
      type: 'object',
      properties: Object.fromEntries(Object.keys(merged).map((name) => [name, ref(name)])),
    };
    for (const schemas of [
      { ...wide('allOf', 3000), S3000: { type: 'object', properties: fields } },
      { ...wide('oneOf', 3000), S3000: { type: 'string' } },
      { ...lists, S200: { type: 'string' } },
      { S0: all, ...merged, Base: { type: 'object', properties: fields } },
      {
        S0: {
          oneOf: Array.from({ length: 3000 }, (_, index) => ({
            required: ['t'],
            properties: { t: { const: `a${index}` } },
          })),
        },
      },
    ]) {
      const building = buildModel({
        openapi: '3.1.0',
        info,
        paths: {
          '/a': {
            get: { responses: { 200: { description: '', content: { 'application/json': { schema: ref('S0') } } } } },
          },
        },
        components: { schemas },
      });
      if (building.ok) expect(building.model.types.length).toBeLessThanOrEqual(sdkLimits.typesMax);
      else expect(building.problems.length).toBeLessThanOrEqual(sdkLimits.problemsMax);
    }
  });

  it('never make it throw, whatever is cut out, doubled or put elsewhere', () => {
    const petstore = JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve('@readme/oas-examples/3.0/json/petstore.json'), 'utf8'),
    ) as object;
    const documents = [petstore, describedDocument('odd-cases'), describedDocument('petstore')] as readonly object[];
    const places = documents.map((document) => placesIn(document));
    const odd = fc.constantFrom<unknown>(
      null,
      1,
      '',
      [],
      {},
      true,
      [null],
      { $ref: '#/components/schemas/class' },
      { $ref: '#' },
      { $ref: 'a' },
      { type: 'object' },
      ['x', 'x'],
      { '': {} },
    );
    const edit = fc.record({ from: fc.nat(), to: fc.nat(), value: fc.option(odd, { nil: undefined }) });
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.nat(documents.length - 1), fc.array(edit, { minLength: 1, maxLength: 4 }), (which, edits) => {
        const document = structuredClone(documents[which]) as object;
        const paths = places[which] ?? [];
        for (const { from, to, value } of edits) {
          const source = value ?? valueAt(document, paths[from % paths.length] ?? []);
          put(document, paths[to % paths.length] ?? [], structuredClone(source));
        }
        const building = buildModel(document);
        expect(building.ok || building.problems.length > 0).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});

type Steps = readonly string[];

function placesIn(value: unknown, steps: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return [steps];
  return [
    ...(steps.length > 0 ? [steps] : []),
    ...Object.entries(value).flatMap(([step, inner]) => placesIn(inner, [...steps, step])),
  ];
}

function valueAt(value: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[step] : undefined,
    value,
  );
}

/** Puts a value at a place, as far as the place is still there. */
function put(document: object, steps: Steps, value: unknown): void {
  const holder = valueAt(document, steps.slice(0, -1));
  const last = steps.at(-1);
  if (typeof holder === 'object' && holder !== null && last !== undefined && last !== '__proto__')
    (holder as Record<string, unknown>)[last] = value;
}
