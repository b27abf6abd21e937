import { describe, expect, it } from 'vitest';
import { buildingOf } from '../checks/described-models.test-support.ts';
import { operationText, typesText } from '../checks/model-text.test-support.ts';
import type { ModelBuilding } from './build-model.ts';

/** The lines of the only operation of some paths, and the places of warnings. */
function operationOf(
  operation: string,
  method = 'post',
  path = '/t',
): readonly [lines: readonly string[], warnings: readonly string[]] {
  const building = buildingOf(`
paths: { '${path}': { ${method}: { ${operation} } } }
components: { schemas: { O: { type: object, properties: { a: { type: string } } }, E: { type: string, enum: [x] } } }`);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  const [first] = building.model.operations;
  return [
    first ? operationText(building.model, first) : [],
    building.warnings.map(({ pointer }) => pointer.replace('/paths/~1t/post', '')),
  ];
}

const parametersOf = (parameters: string): readonly [readonly string[], readonly string[]] => {
  const [lines, warnings] = operationOf(`parameters: [${parameters}], responses: {}`);
  return [lines.slice(0, -1), warnings];
};

/** Problems as `place code`. */
const problemsOf = (building: ModelBuilding): readonly string[] =>
  building.ok ? [] : building.problems.map(({ pointer, code }) => `${pointer} ${code}`);

const problemsOfParameter = (parameter: string, path = '/t'): readonly string[] =>
  problemsOf(
    buildingOf(
      `{ paths: { '${path}': { get: { parameters: [${parameter}], responses: {} } } }, components: { schemas: { O: { type: object, properties: { a: {} } } } } }`,
    ),
  );

describe('parameters', () => {
  it('have the style of their place, required ones first', () => {
    expect(
      parametersOf(`{ name: a, in: query, schema: { type: array, items: { type: integer } } }, { name: X-B, in: header, schema: { type: string } },
        { name: c, in: cookie, schema: { $ref: '#/components/schemas/E' } }, { name: d, in: query, required: true, explode: false, schema: { type: string } },
        { name: e, in: query, style: pipeDelimited, schema: { type: array, items: { type: string } } }, { name: f, in: query, style: deepObject, schema: { $ref: '#/components/schemas/O' } },
        { name: g, in: query, content: { application/json: { schema: { $ref: '#/components/schemas/O' } } } }, { name: h, in: query, content: { text/plain: {} } },
        { name: q, in: query, schema: { type: object, additionalProperties: { type: string } } }`),
    ).toEqual([
      [
        'query d!: string form',
        'query a: integer[] form*',
        'header x-b: string simple',
        'cookie c: e form*',
        'query e: string[] pipeDelimited',
        'query f: o deepObject*',
        'query g: o json',
        'query h: string form',
        'query q: map<string> form*',
      ],
      [],
    ]);
  });

  it('are objects in one pair in queries and cookies, and nowhere else', () => {
    const inPlace = (place: string, style = 'form'): string =>
      `{ name: a, in: ${place}, style: ${style}, explode: false, schema: { $ref: '#/components/schemas/O' } }`;
    expect(parametersOf(inPlace('query'))).toEqual([['query a: o form'], []]);
    expect(parametersOf(inPlace('cookie'))).toEqual([['cookie a: o form'], []]);
    expect(problemsOfParameter(inPlace('query', 'pipeDelimited'))).toEqual([
      '/paths/~1t/get/parameters/0 sdk_unsupported',
    ]);
  });

  it('are warned of where they are objects with lists or objects inside', () => {
    const nested = (style: string): string =>
      `{ name: ${style}, in: query, style: ${style}, schema: { type: object, properties: { a: { type: array, items: { type: string } } } } }`;
    expect(parametersOf(`${nested('form')}, ${nested('deepObject')}`)[1]).toEqual(['', '']);
    expect(
      operationOf(`requestBody: { content: { application/x-www-form-urlencoded: { encoding: { a: { style: deepObject } },
        schema: { type: object, properties: { a: { type: object, additionalProperties: { $ref: '#/components/schemas/O' } }, b: { $ref: '#/components/schemas/O' } } } } } }, responses: {}`)[1],
    ).toEqual(['']);
  });

  it('never have the name of something else', () => {
    const [lines] = parametersOf(
      ['body', 'options', 'request', 'a_b', 'aB', 'AB']
        .map((name) => `{ name: ${name}, in: query, schema: { type: string } }`)
        .join(', ') + ', { name: ab, in: header, schema: { type: string } }',
    );
    expect(lines.map((line) => line.split(':')[0])).toEqual(
      [
        'query body-query',
        'query options-query',
        'query request-query',
        'query a-b',
        'query a-b-query',
        'query ab-query',
        'header ab-header',
      ].map((name) => (name === 'query ab-query' ? 'query ab-query-2' : name)),
    );
  });

  it('that HTTP has itself, or that the path has not, are left out; what the path has is there', () => {
    const [lines, warnings] = operationOf(
      `parameters: [{ name: accept, in: header, schema: { type: string } }, { name: Authorization, in: header, schema: { type: string } }, { name: other, in: path, required: true, schema: { type: string } }], responses: {}`,
      'get',
      '/t/{id}/{rest+}',
    );
    expect(lines.slice(0, -1)).toEqual(['path id!: string simple', 'path rest!: string simple']);
    expect(warnings.length).toBe(3);
  });

  it('are written in the nearest way, with a warning, where the specification leaves it open', () => {
    expect(
      parametersOf(`{ name: a, in: query, schema: { anyOf: [{ type: string }, { type: array, items: { type: string } }] } }, { name: b, in: query, schema: { type: array, items: { $ref: '#/components/schemas/O' } } },
        { name: c, in: query, style: deepObject, schema: { type: array, items: { type: string } } }, { name: d, in: query, schema: { type: [integer, string] } }, { name: e, in: query, style: deepObject, schema: { anyOf: [{ $ref: '#/components/schemas/O' }, { type: integer }] } }`),
    ).toEqual([
      [
        'query a: string[] form*',
        'query b: o[] json',
        'query c: string[] form*',
        'query d: string form*',
        'query e: o deepObject*',
      ],
      [0, 1, 2, 3, 4].map((index) => `/parameters/${index}`),
    ]);
  });

  it.each([
    [
      '{ name: a, in: query, style: matrix, schema: { type: string } }',
      '/paths/~1t/get/parameters/0/style sdk_unsupported',
    ],
    [
      '{ name: a, in: header, schema: { type: object, properties: { b: {} } } }',
      '/paths/~1t/get/parameters/0 sdk_unsupported',
    ],
    ['{ name: "a b", in: header, schema: { type: string } }', '/paths/~1t/get/parameters/0 sdk_unsupported'],
    ['{ name: "a=b", in: cookie, schema: { type: string } }', '/paths/~1t/get/parameters/0 sdk_unsupported'],
    ['{ name: a, in: query, content: { application/xml: {} } }', '/paths/~1t/get/parameters/0/content sdk_unsupported'],
    [
      '{ name: a, in: query, schema: { $ref: "#/components/schemas/Gone" } }',
      '/paths/~1t/get/parameters/0/schema/$ref reference_not_found',
    ],
    [
      '{ name: a, in: querystring, content: { application/json: {} } }',
      '/paths/~1t/get/parameters/0/content sdk_unsupported',
    ],
  ])('%s is refused at its place', (parameter, problem) => expect(problemsOfParameter(parameter)).toEqual([problem]));

  it('styles of paths that are not written are refused', () => {
    const label = '{ name: id, in: path, required: true, style: label, schema: { type: string } }';
    expect(problemsOfParameter(label, '/t/{id}')).toEqual(['/paths/~1t~1{id}/get/parameters/0/style sdk_unsupported']);
  });
});

describe('bodies and answers', () => {
  const bodyOf = (content: string, method?: string): readonly [string | undefined, readonly string[]] => {
    const [lines, warnings] = operationOf(`requestBody: { content: { ${content} } }, responses: {}`, method);
    return [lines.find((line) => line.startsWith('body')), warnings];
  };

  it('send the first of JSON, multipart, form, text and bytes', () => {
    const schema = `{ schema: { $ref: '#/components/schemas/O' } }`;
    expect(
      bodyOf(
        `image/png: {}, text/plain: {}, application/x-www-form-urlencoded: ${schema}, multipart/form-data: ${schema}, 'Application/Vnd.x+JSON; v=1': ${schema}`,
      )[0],
    ).toBe('body: json application/vnd.x+json; v=1 o');
    expect(bodyOf(`image/png: {}, multipart/form-data: ${schema}`)[0]).toBe(
      'body: multipart multipart/form-data o-form',
    );
    expect(bodyOf('image/png: {}, application/xml: {}')[0]).toBe('body: text application/xml string');
    expect(bodyOf('image/*: {}')[0]).toBe('body: binary application/octet-stream binary');
    expect(bodyOf(`'*/*': ${schema}`)[0]).toBe('body: json application/json o');
    expect(bodyOf('application/x-www-form-urlencoded: { schema: { type: object } }')).toEqual([
      'body: text application/x-www-form-urlencoded string',
      ['/requestBody/content/application~1x-www-form-urlencoded'],
    ]);
    expect(bodyOf(`application/json: ${schema}`, 'get')[0]).toBeUndefined();
  });

  it('say how each field of a form stands in it', () => {
    const building = buildingOf(`
paths: { /t: { post: { requestBody: { content: { multipart/form-data: { schema: { type: object, required: [file], properties: { file: { type: string, format: binary },
  files: { type: array, items: { contentMediaType: image/png } }, text: { type: [string, 'null'] }, list: { type: array, items: { type: integer } }, json: { type: object, properties: { a: {} } }, given: { type: string } } },
  encoding: { given: { contentType: text/csv }, file: { contentType: 'image/png, image/gif' } } } } }, responses: {} },
  put: { requestBody: { content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: array, items: { type: string } }, deep: { type: object, properties: { b: { type: string } } }, json: { type: object, properties: { c: {} } } } },
  encoding: { a: { explode: false }, deep: { style: deepObject } } } } }, responses: {} } } }`);
    expect(building.ok && typesText(building.model)).toMatchObject({
      'post-t-form': [
        'file!: binary file form*',
        'files: binary[] file form*',
        'text: string text form*',
        'list: integer[] text form*',
        'json: post-t-form-json json form* application/json',
        'given: string text form* text/csv',
      ],
      'put-t-form': [
        'a: string[] text form',
        'deep: put-t-form-deep text deepObject*',
        'json: put-t-form-json json form* application/json',
      ],
    });
  });

  it('give back the lowest good answer with content, the default only where there is no other', () => {
    const resultOf = (responses: string, method = 'get'): string | undefined =>
      operationOf(`responses: { ${responses} }`, method)[0].at(-1);
    const json = (type: string): string =>
      `{ description: '', content: { application/json: { schema: { type: ${type} } } } }`;
    expect(resultOf(`default: ${json('string')}, '202': ${json('integer')}, '201': ${json('boolean')}`)).toBe(
      'result: json application/json boolean',
    );
    expect(resultOf(`'2XX': ${json('string')}, '204': { description: '' }`)).toBe(
      'result: json application/json string or nothing',
    );
    expect(resultOf(`'404': ${json('string')}, default: ${json('integer')}`)).toBe(
      'result: json application/json integer',
    );
    expect(resultOf(`'204': { description: '' }, default: ${json('integer')}`)).toBe('result: none');
    expect(resultOf(`'302': ${json('string')}`)).toBe('result: none');
    expect(resultOf(`'200': ${json('string')}`, 'head')).toBe('result: none');
    expect(resultOf(`'200': { description: '', content: { text/csv: {} } }`)).toBe('result: text text/csv string');
    expect(resultOf(`'200': { description: '', content: { image/png: {} } }`)).toBe('result: binary image/png binary');
  });

  it('that no client can send are refused at their place', () => {
    const problems = (operation: string): readonly string[] =>
      problemsOf(buildingOf(`paths: { /t: { ${operation} } }`));
    expect(
      problems(
        'post: { requestBody: { content: { multipart/form-data: { schema: { type: object } } } }, responses: {} }',
      ),
    ).toEqual(['/paths/~1t/post/requestBody/content sdk_unsupported']);
    expect(
      problems('get: { requestBody: { required: true, content: { application/json: {} } }, responses: {} }'),
    ).toEqual(['/paths/~1t/get/requestBody sdk_unsupported']);
    expect(problemsOf(buildingOf(`paths: { /a/../b: { get: { responses: {} } } }`))).toEqual([
      '/paths/~1a~1..~1b/get sdk_unsupported',
    ]);
  });
});

describe('what else an operation has', () => {
  const wordsOf = (paths: string): readonly string[] => {
    const building = buildingOf(`paths: { ${paths} }`);
    return building.ok ? building.model.operations.map(({ words }) => words.join('-')) : [];
  };

  it('is a name of its ID, else of its method and path, alike to no other', () => {
    expect(
      wordsOf(`/a: { get: { operationId: getThing, responses: {} }, put: { operationId: get_thing, responses: {} }, post: { operationId: '!?', responses: {} }, trace: { operationId: x, responses: {} } },
        '/pets/{petId}.{format}': { get: { responses: {} } }, /: { get: { responses: {} } }`),
    ).toEqual(['get-thing', 'get-thing-2', 'post-a', 'get-pets-by-pet-id-by-format', 'get-root']);
  });

  it('is a path in which what must be escaped is, once', () => {
    const building = buildingOf(`paths: { '/ö%20%zz/{a}-"{b+}': { get: { responses: {} } } }`);
    expect(building.ok && building.model.operations[0]?.path).toEqual([
      { kind: 'literal', text: '/%C3%B6%20%25zz/' },
      { kind: 'parameter', wireName: 'a', isGreedy: false },
      { kind: 'literal', text: '-%22' },
      { kind: 'parameter', wireName: 'b', isGreedy: true },
    ]);
  });
});
