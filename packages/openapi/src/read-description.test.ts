import { describe, expect, it } from 'vitest';
import type { Operation } from './operations/read-operations.ts';
import { readDescription } from './read-description.ts';

const info = { title: 'T', version: '1' };
const described = (paths: unknown, more: object = {}) => readDescription({ openapi: '3.1.0', info, paths, ...more });

function operationsOf(paths: unknown, more?: object): readonly Operation[] {
  const reading = described(paths, more);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.description.operations;
}

function problemsOf(paths: unknown, more?: object): unknown {
  const reading = described(paths, more);
  return reading.ok ? [] : reading.problems.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('operations', () => {
  it('inherit servers: their own, else the path’s, else the description’s, variables with their defaults', () => {
    const paths = {
      '/own': { servers: [{ url: '/path' }], get: { servers: [{ url: 'https://own' }] }, put: {} },
      '/base': { get: { servers: [] } },
    };
    const variables = { host: { default: 'api' }, port: { default: '8443', enum: ['8443'] } };
    const servers = [{ url: 'https://{host}.example.com:{port}/v1', description: 'main', variables }];
    expect(operationsOf(paths, { servers }).map(({ servers }) => servers.map(({ url }) => url))).toEqual([
      ['https://own'],
      ['/path'],
      ['https://api.example.com:8443/v1'],
    ]);
    expect(operationsOf({ '/a': { get: {} } })[0]?.servers[0]?.url).toBe('/');
  });

  it('merge parameters: an operation’s own take the place of its path’s; headers have no case', () => {
    const at = (name: string, place: string, more: object = {}) => ({ name, in: place, ...more });
    const paths = {
      '/a/{id}': {
        parameters: [
          at('id', 'path'),
          at('X-Trace', 'header'),
          at('q', 'query'),
          { $ref: '#/components/parameters/p' },
        ],
        get: { parameters: [at('x-trace', 'header', { required: true }), at('q', 'cookie')] },
      },
    };
    const components = { parameters: { p: { $ref: '#/components/parameters/page' }, page: at('page', 'query') } };
    const [operation] = operationsOf(paths, { components });
    expect(operation?.parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`)).toEqual([
      'path id true',
      'query q false',
      'query page false',
      'header x-trace true',
      'cookie q false',
    ]);
    expect(operation?.parameters[2]?.pointer).toBe('/components/parameters/page');
  });

  it('sum up security: alternatives of schemes, taken back by an empty list', () => {
    const more = {
      security: [{ key: [] }, { login: ['read'], key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey' }, login: { type: 'oauth2' } } },
    };
    const [root, taken, anybody] = operationsOf(
      { '/a': { get: {}, put: { security: [] }, post: { security: [{}] } } },
      more,
    ).toSorted((one, other) => (one.method < other.method ? -1 : 1));
    const key = { name: 'key', type: 'apiKey', scopes: [] };
    expect(root?.security).toEqual([[key], [{ name: 'login', type: 'oauth2', scopes: ['read'] }, key]]);
    expect([taken?.method, taken?.security]).toEqual(['POST', [[]]]);
    expect([anybody?.method, anybody?.security]).toEqual(['PUT', []]);
  });

  it('come from path items elsewhere in the document; what stands beside the reference wins', () => {
    const paths = {
      '/a': { $ref: '#/components/pathItems/a', put: { operationId: 'here' } },
      '/b': { $ref: '#/paths/~1a' },
    };
    const pathItems = { a: { get: { operationId: 'there' }, put: { operationId: 'hidden' } } };
    const found = operationsOf(paths, { components: { pathItems } });
    expect(found.map(({ path, operationId, pointer }) => [path, operationId, pointer])).toEqual([
      ['/a', 'there', '/components/pathItems/a/get'],
      ['/a', 'here', '/paths/~1a/put'],
      ['/b', 'there', '/components/pathItems/a/get'],
      ['/b', 'hidden', '/components/pathItems/a/put'],
    ]);
  });

  it('know the methods of their version', () => {
    const paths = {
      '/a': { get: {}, query: {}, additionalOperations: { COPY: {} }, 'x-get': {}, summary: 's' },
      'x-b': 1,
    };
    const methods = (openapi: string) => operationsOf(paths, { openapi }).map(({ method }) => method);
    expect([methods('3.0.3'), methods('3.1.1'), methods('3.2.0')]).toEqual([
      ['GET'],
      ['GET'],
      ['GET', 'QUERY', 'COPY'],
    ]);
  });
});

describe('readDescription', () => {
  it.each([
    ['no object', 3, ' type'],
    ['a list', [], ' type'],
    ['Swagger 2.0', { swagger: '2.0' }, '/swagger version'],
    ['no version', { info }, '/openapi version'],
    ['a later version', { openapi: '4.0.0', info }, '/openapi version'],
    ['a version that only begins alike', { openapi: '3.10', info }, '/openapi version'],
    ['no info', { openapi: '3.0.0' }, '/info required'],
  ])('refuses %s', (_name, document, problem) => {
    const reading = readDescription(document);
    expect(reading.ok ? [] : reading.problems.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([problem]);
  });

  it.each([
    ['paths that are none', { a: {}, '/a b': {} }, {}, ['/paths/a invalid_path', '/paths/~1a b invalid_path']],
    ['path items that are none', { '/a': 1 }, {}, ['/paths/~1a type']],
    ['operations that are none', { '/a': { get: 1 } }, {}, ['/paths/~1a/get type']],
    ['a reference to nothing', { '/a': { $ref: '#/nowhere' } }, {}, ['/paths/~1a/$ref reference_not_found']],
    [
      'references in a circle',
      { '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' } },
      {},
      ['/paths/~1b/$ref reference_circular', '/paths/~1a/$ref reference_circular'],
    ],
    [
      'a remote reference of a path',
      { '/a': { $ref: 'http://evil.example/x' } },
      {},
      ['/paths/~1a/$ref reference_remote'],
    ],
    [
      'a remote reference in a schema',
      {},
      { components: { schemas: { a: { $ref: './a.yaml#/b' } } } },
      ['/components/schemas/a/$ref reference_remote'],
    ],
    ['a server without url', {}, { servers: [{}] }, ['/servers/0 required']],
    ['a variable without default', {}, { servers: [{ url: '/{v}' }] }, ['/servers/0/url invalid_server']],
    ['servers that are no list', {}, { servers: {} }, ['/servers type']],
    [
      'parameters without a place',
      { '/a': { parameters: [{ name: 'x' }], get: {} } },
      {},
      ['/paths/~1a/parameters/0 required'],
    ],
    [
      'a parameter given twice',
      {
        '/a': {
          get: {
            parameters: [
              { name: 'x', in: 'query' },
              { name: 'x', in: 'query' },
            ],
          },
        },
      },
      {},
      ['/paths/~1a/get/parameters/1 duplicate'],
    ],
    [
      'an operationId given twice',
      { '/a': { get: { operationId: 'x' }, put: { operationId: 'x' } } },
      {},
      ['/paths/~1a/put/operationId duplicate'],
    ],
    ['security that is no list', {}, { security: {} }, ['/security type']],
  ])('refuses %s', (_name, paths, more, problems) => {
    expect(problemsOf(paths, more)).toEqual(problems);
  });

  it('takes data, and properties, that look like references for what they are', () => {
    const schema = {
      properties: { $ref: { type: 'string' }, example: { type: 'string' } },
      example: { $ref: 'http://x' },
    };
    expect(problemsOf({}, { components: { schemas: { a: schema, example: { default: { $ref: 'y' } } } } })).toEqual([]);
    const hidden = { properties: { example: { $ref: 'http://x' } } };
    expect(problemsOf({}, { components: { schemas: { a: hidden } } })).toEqual([
      '/components/schemas/a/properties/example/$ref reference_remote',
    ]);
  });

  it('lets schemas refer to themselves', () => {
    const schemas = { tree: { properties: { children: { items: { $ref: '#/components/schemas/tree' } } } } };
    expect(problemsOf({ '/a': { get: {} } }, { components: { schemas } })).toEqual([]);
  });

  it('never reaches a prototype', () => {
    expect(problemsOf({ '/a': { $ref: '#/constructor' } })).toEqual(['/paths/~1a/$ref reference_not_found']);
    expect(operationsOf(JSON.parse('{"/a":{"__proto__":{"get":{}}}}'))).toEqual([]);
  });

  it('has bounds', () => {
    const nested = Array.from({ length: 70 }).reduce((inner) => ({ inner }), {});
    expect(problemsOf({}, { 'x-deep': nested })).toEqual([expect.stringMatching(/too_deep$/)]);
    const keys = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 1]));
    expect(problemsOf({}, { 'x-wide': keys })).toEqual(['/x-wide too_many']);
    const paths = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`/p${index}`, { get: {}, put: {}, post: {}, patch: {} }]),
    );
    expect(problemsOf(paths)).toEqual(['/paths too_many']);
    const wrong = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/p${index}`, 1]));
    const problems = problemsOf(wrong) as string[];
    expect([problems.length, problems.at(-1)]).toEqual([101, ' more_problems']);
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`/p${index}`, { $ref: `#/paths/~1p${index + 1}` }]),
    );
    expect(problemsOf({ ...chain, '/p40': { get: {} } })).toContain('/paths/~1p32/$ref reference_circular');
  });

  it('looks at the length of an address before it puts defaults in', () => {
    const variables = { a: { default: 'x'.repeat(1_000_000) }, b: { default: 'y'.repeat(1000) } };
    for (const url of ['{a}'.repeat(1000), '{a}'.repeat(680), '{b}{b}{b}', 'z'.repeat(2049)]) {
      expect(problemsOf({}, { servers: [{ url, variables }] })).toEqual(['/servers/0/url invalid_server']);
    }
    expect(
      operationsOf({ '/a': { get: {} } }, { servers: [{ url: '{b}{b}', variables }] })[0]?.servers[0]?.url,
    ).toHaveLength(2000);
  });

  it('counts objects and lists, and walks over millions of scalars without making anything of them', () => {
    const lists = Array.from({ length: 1_000_001 }, () => []);
    expect(problemsOf({}, { 'x-lists': lists })).toEqual([' too_many']);
    const scalars = new Proxy([0, 1, { a: 1 }], {
      ownKeys: () => {
        throw new Error('makes a key of every item');
      },
    });
    expect(problemsOf({}, { 'x-scalars': scalars })).toEqual([]);
  });

  it('reads what many paths refer to once', () => {
    let reads = 0;
    const counted = (name: string, place: string): object => ({
      get name() {
        reads += 1;
        return name;
      },
      in: place,
    });
    const one = {
      parameters: Array.from({ length: 10 }, (_, index) => counted(`p${index}`, 'query')),
      get: { parameters: [counted('own', 'header')] },
    };
    const item = '#/components/pathItems/one';
    const paths = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`/p${index}`, { $ref: item, ...(index % 2 && { summary: 's' }) }]),
    );
    const read = operationsOf(paths, { components: { pathItems: { one } } });
    expect(read.map(({ parameters }) => parameters.length)).toEqual(Array.from({ length: 500 }, () => 11));
    // The shape, the references, and what the parameter says: each looks at it once.
    expect(reads).toBeLessThanOrEqual(3 * 11);
  });

  it('says once what is wrong with what many paths refer to', () => {
    const one = { parameters: [{ name: 'p', in: 'nowhere' }], servers: [{}], get: { security: 1 } };
    const paths = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`/p${index}`, { $ref: '#/x' }]));
    expect(problemsOf(paths, { x: one })).toEqual([
      '/x/servers/0 required',
      '/x/parameters/0 required',
      '/x/get/security type',
    ]);
  });

  it('refuses a path item of too many fields: many paths may refer to it', () => {
    const wide = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`x-${index}`, index]));
    const { 'x-0': _, ...full } = wide;
    expect(problemsOf({ '/a': full })).toEqual([]);
    expect(problemsOf({ '/a': wide })).toEqual(['/paths/~1a too_many']);
    expect(problemsOf({ '/a': { $ref: '#/x' } }, { x: wide })).toEqual(['/paths/~1a too_many']);
  });
});
