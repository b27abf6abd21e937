import type { SdkOperation, SdkParameter } from '../../model/operations.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { wordsOf } from '../../names/words.ts';
import { any, integer, list, named, nullable, string, wideTypes } from './wide-types.test-support.ts';

/** A model by hand with everything in it that a model may have: what `testing/wide-server` answers to. */

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
  operation('styles', 'GET /echo/styles', {
    parameters: [
      parameter('flat', 'query', named('Prefs')),
      parameter('joined', 'query', named('Prefs'), { isExploded: false }),
      parameter('deep', 'query', named('Prefs'), { style: 'deepObject' }),
      parameter('empty', 'query', list(string), { isExploded: false }),
      parameter('many', 'query', list(string)),
      parameter('X-None', 'header', list(string)),
      parameter('X-Map', 'header', { kind: 'map', values: string }, { style: 'json' }),
      parameter('ids', 'cookie', list(integer), { isExploded: true }),
      parameter('short', 'cookie', list(integer)),
      parameter('prefs', 'cookie', named('Prefs'), { isExploded: true }),
      parameter('pair', 'cookie', named('Prefs')),
    ],
  }),
  operation('file', 'GET /echo/files/{path+}', { parameters: [parameter('path', 'path', string)] }),
  operation('class', 'POST /echo', sent('json', 'application/json', named('Node'))),
  operation('sendAny', 'POST /echo', sent('json', 'application/merge-patch+json', nullable(list(nullable(string))))),
  operation('node', 'GET /node', answer(named('Node'))),
  operation('values', 'GET /values', answer(list(named('Value')))),
  operation('reading', 'GET /readings/{id}', {
    parameters: [parameter('id', 'path', integer)],
    ...answer(named('Reading')),
  }),
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
  types: wideTypes,
  operations,
};
