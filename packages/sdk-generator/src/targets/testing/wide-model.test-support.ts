import type { NamedType, SdkObject, SdkProperty } from '../../model/named-types.ts';
import type { SdkOperation, SdkParameter } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { wordsOf } from '../../names/words.ts';

/** A model by hand with everything in it that a model may have: what `testing/wide-server` answers to. */

const string = { kind: 'string' } as const;
const integer = { kind: 'integer', bits: 64 } as const;
const any = { kind: 'any' } as const;
const named = (id: string): TypeRef => ({ kind: 'named', id });
const list = (items: TypeRef): TypeRef => ({ kind: 'list', items });
const nullable = (type: TypeRef): TypeRef => ({ kind: 'nullable', type });

function property(wireName: string, type: TypeRef, more: Partial<SdkProperty> = {}): SdkProperty {
  return {
    wireName,
    words: wordsOf(wireName),
    type,
    isRequired: false,
    description: undefined,
    isDeprecated: false,
    isReadOnly: false,
    isWriteOnly: false,
    part: undefined,
    ...more,
  };
}

function object(name: string, properties: readonly SdkProperty[], more: Partial<SdkObject> = {}): SdkObject {
  return {
    kind: 'object',
    id: name,
    words: wordsOf(name),
    description: undefined,
    isDeprecated: false,
    properties,
    additional: undefined,
    isForm: false,
    ...more,
  };
}

function union(name: string, variants: readonly string[]): NamedType {
  return {
    kind: 'union',
    id: name,
    words: wordsOf(name),
    description: undefined,
    isDeprecated: false,
    discriminator: undefined,
    variants: variants.map((id) => ({ words: wordsOf(id), type: named(id), tags: [] })),
  };
}

const required = { isRequired: true } as const;
const text = { kind: 'text', style: 'form', contentType: undefined, isExploded: true } as const;

const types: readonly NamedType[] = [
  object(
    'Node',
    [
      property('id', integer, required),
      property('class', named('Level'), { ...required, description: 'A reserved word.' }),
      property('$made-at', { kind: 'dateTime' }, { description: 'When it was made: "then".' }),
      property('day', { kind: 'date' }),
      property('note', nullable(string)),
      property('comment', nullable(string), required),
      property('data', { kind: 'bytes' }),
      property('ratio', { kind: 'number' }),
      property('isOpen', { kind: 'boolean' }),
      property('children', list(named('Node'))),
      property('parent', named('Node')),
      property('shape', named('Shape')),
      property('value', named('Value')),
      property('labels', { kind: 'map', values: string }),
      property('free', any),
      property('revision', integer, { ...required, isReadOnly: true }),
      property('rank', named('Rank'), { isDeprecated: true }),
    ],
    { additional: integer, description: 'A node of a tree.' },
  ),
  {
    kind: 'enum',
    id: 'Level',
    words: ['level'],
    description: undefined,
    isDeprecated: false,
    base: 'string',
    values: ['low', 'HIGH', '', '1st', 'None', 'a"b'].map((value, index) => ({
      value,
      words: value === '' ? ['empty'] : value === 'a"b' ? ['quoted', String(index)] : wordsOf(value),
    })),
  },
  {
    kind: 'enum',
    id: 'Rank',
    words: ['rank'],
    description: undefined,
    isDeprecated: false,
    base: 'integer',
    values: [1, -2].map((value) => ({ value, words: wordsOf(value < 0 ? `minus ${-value}` : String(value)) })),
  },
  object('Circle', [property('kind', string, required), property('radius', { kind: 'number' }, required)]),
  object('Square', [property('kind', string), property('side', { kind: 'number' }, required)]),
  {
    kind: 'union',
    id: 'Shape',
    words: ['shape'],
    description: 'A shape.',
    isDeprecated: false,
    discriminator: 'kind',
    variants: [
      { words: ['circle'], type: named('Circle'), tags: ['circle', 'round'] },
      { words: ['square'], type: named('Square'), tags: ['square'] },
    ],
  },
  {
    kind: 'union',
    id: 'Value',
    words: ['value'],
    description: undefined,
    isDeprecated: false,
    discriminator: undefined,
    variants: [
      { words: ['string'], type: string, tags: [] },
      { words: ['integer'], type: integer, tags: [] },
      { words: ['values'], type: list(named('Value')), tags: [] },
      { words: ['circle'], type: named('Circle'), tags: [] },
    ],
  },
  object('Filter', [
    property('from', { kind: 'date' }),
    property('max-size', integer),
    property('of', named('Filter')),
  ]),
  // Each takes the JSON of the other one: what knows most of it is meant.
  object('Named', [property('name', string)]),
  object('Failed', [property('code', integer), property('message', string)]),
  union('Alike', ['Named', 'Failed']),
  // What is inside comes first: who tries each type with it, on each level, never ends.
  object('Texts', [property('inner', named('Deep')), property('name', string, required)]),
  object('Counts', [property('inner', named('Deep')), property('name', integer, required)]),
  union('Deep', ['Texts', 'Counts']),
  object(
    'LoginForm',
    [
      property('user name', string, { ...required, part: text }),
      property('tag', list(string), { part: text }),
      property('ids', list(integer), { part: { ...text, isExploded: false } }),
      property('piped', list(integer), { part: { ...text, style: 'pipeDelimited', isExploded: false } }),
      property('where', named('Filter'), { part: { ...text, style: 'deepObject' } }),
      property('meta', named('Filter'), {
        part: { kind: 'json', style: 'form', contentType: 'application/json', isExploded: true },
      }),
    ],
    { isForm: true },
  ),
  object(
    'UploadForm',
    [
      property('title "x"', string, { ...required, part: text }),
      property(
        'photo',
        { kind: 'binary' },
        { ...required, part: { kind: 'file', style: 'form', contentType: undefined, isExploded: true } },
      ),
      property('pages', list({ kind: 'binary' }), {
        part: { kind: 'file', style: 'form', contentType: 'image/png', isExploded: true },
      }),
      property('meta', named('Filter'), {
        part: { kind: 'json', style: 'form', contentType: 'application/json', isExploded: true },
      }),
      property('count', integer, { part: text }),
    ],
    { isForm: true },
  ),
];

function parameter(
  wireName: string,
  place: SdkParameter['place'],
  type: TypeRef,
  more: Partial<SdkParameter> = {},
): SdkParameter {
  return {
    wireName,
    words: wordsOf(wireName),
    place,
    type,
    isRequired: place === 'path',
    style: place === 'path' || place === 'header' ? 'simple' : 'form',
    isExploded: place === 'query',
    description: undefined,
    isDeprecated: false,
    ...more,
  };
}

function operation(id: string, request: string, more: Partial<SdkOperation> = {}): SdkOperation {
  const [method = '', path = ''] = request.split(' ');
  return {
    pointer: `#/paths/${id}`,
    words: wordsOf(id),
    method,
    path: path.split(/(?=\{)|(?<=\})/).map((part) => {
      const name = /^\{(.*?)(\+?)\}$/.exec(part);
      return name === null
        ? { kind: 'literal', text: part }
        : { kind: 'parameter', wireName: name[1] ?? '', isGreedy: name[2] === '+' };
    }),
    pathTemplate: path,
    summary: undefined,
    description: undefined,
    tags: [],
    isDeprecated: false,
    parameters: [],
    body: undefined,
    result: { kind: 'json', type: any, mediaType: 'application/json', mayBeEmpty: false },
    errors: [],
    security: [],
    ...more,
  };
}

function answer(type: TypeRef, mayBeEmpty = false): Pick<SdkOperation, 'result'> {
  return { result: { kind: 'json', type, mediaType: 'application/json', mayBeEmpty } };
}

function sent(
  kind: 'json' | 'multipart' | 'form' | 'text' | 'binary',
  mediaType: string,
  type: TypeRef,
): Pick<SdkOperation, 'body'> {
  return { body: { kind, mediaType, type, isRequired: true, description: undefined } };
}

const operations: readonly SdkOperation[] = [
  operation('find', 'GET /echo/{id}/{tags}/x', {
    summary: 'Finds by everything',
    errors: [{ status: '404', description: 'Not there.' }],
    parameters: [
      parameter('id', 'path', integer),
      parameter('tags', 'path', list(string)),
      parameter('from', 'query', { kind: 'date' }, { isRequired: true, description: 'A day to begin with.' }),
      parameter('level', 'query', list(named('Level'))),
      parameter('plain', 'query', list(string), { isExploded: false }),
      parameter('spaced', 'query', list(string), { isExploded: false, style: 'spaceDelimited' }),
      parameter('piped', 'query', list(integer), { isExploded: false, style: 'pipeDelimited' }),
      parameter('filter', 'query', named('Filter'), { style: 'deepObject' }),
      parameter('flat', 'query', { kind: 'map', values: string }),
      parameter('pairs', 'query', { kind: 'map', values: string }, { isExploded: false }),
      parameter('json', 'query', named('Filter'), { style: 'json' }),
      parameter('self', 'query', { kind: 'boolean' }, { isDeprecated: true }),
      parameter('X-Trace', 'header', list(string)),
      parameter('session', 'cookie', string),
    ],
  }),
  operation('file', 'GET /echo/files/{path+}', { parameters: [parameter('path', 'path', string)] }),
  operation('class', 'POST /echo', sent('json', 'application/json', named('Node'))),
  operation('sendAny', 'POST /echo', sent('json', 'application/merge-patch+json', nullable(list(nullable(string))))),
  operation('node', 'GET /node', answer(named('Node'))),
  operation('values', 'GET /values', answer(list(named('Value')))),
  operation('alike', 'GET /alike', answer(list(named('Alike')))),
  operation('sendAlike', 'POST /echo', sent('json', 'application/json', list(named('Alike')))),
  operation('deep', 'GET /deep', answer(named('Deep'))),
  operation('tooDeep', 'GET /too-deep', answer(named('Deep'))),
  operation('login', 'POST /echo', sent('form', 'application/x-www-form-urlencoded', named('LoginForm'))),
  operation('upload', 'POST /echo', sent('multipart', 'multipart/form-data', named('UploadForm'))),
  operation('put', 'PUT /echo', sent('binary', 'application/octet-stream', { kind: 'binary' })),
  operation('say', 'POST /echo', sent('text', 'text/plain; charset=utf-8', string)),
  operation('import', 'GET /bytes', {
    result: { kind: 'binary', type: { kind: 'binary' }, mediaType: 'application/octet-stream', mayBeEmpty: false },
  }),
  operation('text', 'GET /text', {
    result: { kind: 'text', type: string, mediaType: 'text/plain', mayBeEmpty: false },
  }),
  operation('maybe', 'GET /nothing', answer(named('Node'), true)),
  operation('remove', 'DELETE /nothing', {
    isDeprecated: true,
    result: { kind: 'none', type: undefined, mediaType: undefined, mayBeEmpty: false },
  }),
  operation('fail', 'GET /fail/{id}', {
    parameters: [parameter('id', 'path', string), parameter('q', 'query', string)],
  }),
  operation('moved', 'GET /moved'),
  operation('slow', 'GET /slow'),
  operation('dripping', 'GET /drip'),
  operation('broken', 'GET /broken', answer(list(named('Node')))),
  operation('noJson', 'GET /text', answer(named('Node'))),
  operation('either', 'GET /echo', { security: [['main', 'key'], ['login'], ['cookieKey', 'queryKey']] }),
  operation('token', 'GET /echo', { security: [['main']] }),
];

export const wideModel: SdkModel = {
  title: 'Wide API',
  version: '1.2.0',
  description: 'Everything at once.',
  license: { name: 'MIT', url: 'https://example.com/licence' },
  baseUrl: undefined,
  schemes: [
    { kind: 'apiKey', key: 'cookieKey', words: ['cookie', 'key'], place: 'cookie', name: 'sid' },
    { kind: 'apiKey', key: 'key', words: ['key'], place: 'header', name: 'X-Key' },
    { kind: 'basic', key: 'login', words: ['login'] },
    { kind: 'bearer', key: 'main', words: ['main'] },
    { kind: 'apiKey', key: 'queryKey', words: ['query', 'key'], place: 'query', name: 'api key' },
  ],
  types,
  operations,
};
