import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { definePlugin, type StandardSchemaV1 } from './index.ts';

const base = {
  name: 'demo',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  setup: () => ({}),
} as const;

const schema = v.strictObject({
  limit: v.pipe(v.number(), v.minValue(1, 'must be at least 1')),
  token: v.optional(v.pipe(v.string(), v.maxLength(8))),
  'a/b': v.optional(v.array(v.picklist(['x', 'y']))),
});

describe('definePlugin', () => {
  it.each([
    ['a missing field', {}, '/limit'],
    ['no config at all', undefined, '/limit'],
    ['a wrong type', { limit: 'ten' }, '/limit'],
    ['a number out of range', { limit: 0 }, '/limit'],
    ['an unknown field', { limit: 1, limits: 2 }, '/limits'],
    ['a place within a list, escaped', { limit: 1, 'a/b': ['x', 'z'] }, '/a~1b/1'],
    ['a config that is no object', 'text', ''],
  ])('tells where %s is wrong', (_name, config, pointer) => {
    const compiled = definePlugin({ ...base, config: schema }).compile(config);
    expect(compiled).toMatchObject({ ok: false, issues: [{ pointer }] });
  });

  it('lists all mistakes of a config', () => {
    const compiled = definePlugin({ ...base, config: schema }).compile({ limit: 0, token: 'x'.repeat(9), other: 1 });
    expect(compiled.ok ? [] : compiled.issues.map(({ pointer }) => pointer)).toEqual(['/limit', '/token', '/other']);
  });

  it('gives the schema rule as code and its message', () => {
    expect(definePlugin({ ...base, config: schema }).compile({ limit: 0 })).toEqual({
      ok: false,
      issues: [{ pointer: '/limit', code: 'min_value', message: 'must be at least 1' }],
    });
  });

  it.each([
    ['required', {}],
    ['type', { limit: 'ten' }],
    ['unknown_field', { limit: 1, other: 2 }],
  ])('gives stable codes, not the names of the library: %s', (code, config) => {
    expect(definePlugin({ ...base, config: schema }).compile(config)).toMatchObject({ issues: [{ code }] });
  });

  it.each<[string, string]>([
    ['as Valibot says it', 'Invalid type: Expected number but received "sesame-open"'],
    ['as Zod says it', 'Invalid input: expected number, received sesame-open'],
    ['as ArkType says it', 'must be a number (was "sesame-open")'],
    ['in other words', 'sesame-open is not a number'],
  ])('never shows a value, %s', (_name, message) => {
    const rude: StandardSchemaV1<unknown, object> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message, path: [{ key: 'a' }, 0] }] }) },
    };
    const compiled = definePlugin({ ...base, config: rude }).compile({ a: ['sesame-open'] });
    expect(JSON.stringify(compiled)).not.toContain('sesame');
    expect(compiled).toMatchObject({ issues: [{ pointer: '/a/0', code: 'invalid' }] });
  });

  it('shows a rule that is told in a word which the config holds, too', () => {
    const message = 'must name a variable that the request has';
    const rude: StandardSchemaV1<unknown, object> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message, path: ['template'] }] }) },
    };
    const compiled = definePlugin({ ...base, config: rude }).compile({ target: 'request', template: 'sesame-open' });
    expect(compiled).toMatchObject({ issues: [{ pointer: '/template', message }] });
  });

  it('gives setup the validated config, defaults filled in', () => {
    const config = v.object({ size: v.optional(v.number(), 7) });
    let seen: unknown;
    const plugin = definePlugin({
      ...base,
      config,
      setup(given) {
        seen = given;
        return {};
      },
    });
    const compiled = plugin.compile(undefined);
    if (compiled.ok) compiled.setup({} as never);
    expect(seen).toEqual({ size: 7 });
  });

  it.each<[string, (value: unknown) => unknown, string]>([
    ['is asynchronous', (value) => Promise.resolve({ value }), 'must validate synchronously'],
    ['is asynchronous and rejects', () => Promise.reject(new Error('late')), 'must validate synchronously'],
    [
      'throws, quoting the config',
      (value) => {
        throw new Error(JSON.stringify(value));
      },
      'failed',
    ],
    ['gives nothing', () => undefined, 'failed'],
    ['gives neither value nor issues', () => ({}), 'failed'],
    ['gives issues that are no list', () => ({ issues: 'wrong' }), 'failed'],
  ])('says so when a schema %s', (_name, validate, says) => {
    const bad = { '~standard': { version: 1, vendor: 'test', validate } } as unknown as StandardSchemaV1<
      unknown,
      object
    >;
    expect(definePlugin({ ...base, config: bad }).compile({ token: 'sesame-open' })).toEqual({
      ok: false,
      issues: [{ pointer: '', code: 'schema_failed', message: `the config schema of plugin demo ${says}` }],
    });
  });

  it('tells the mistakes of a config that contains itself', () => {
    const config: Record<string, unknown> = { limit: 0 };
    for (const key of ['a', 'b', 'c']) config[key] = config;
    expect(definePlugin({ ...base, config: schema }).compile(config)).toMatchObject({ ok: false });
  });

  it.each([
    ['a name with a hyphen', { name: 'my-plugin' }],
    ['an empty name', { name: '' }],
    ['a version that is none', { version: 'latest' }],
    ['no trigger', { triggers: [] as never }],
    ['a name that is no text', { name: undefined as never }],
    ['a version that is no text', { version: 1 as never }],
    ['an unknown category', { category: 'magic' as never }],
    ['an unknown trigger', { triggers: ['sometimes'] as never }],
    ['triggers that are no list', { triggers: 'before_request' as never }],
    ['a config that is no schema', { config: {} as never }],
    ['no setup', { setup: undefined as never }],
  ])('refuses a definition with %s', (_name, wrong) => {
    expect(() => definePlugin({ ...base, config: schema, ...wrong })).toThrow(TypeError);
  });
});
