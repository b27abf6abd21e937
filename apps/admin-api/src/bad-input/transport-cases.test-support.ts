import { gzipSync } from 'node:zlib';
import type { SentRequest } from '../isolation/http-client.test-support.ts';

/** A body, or the headers around one, that no operation takes. */
export interface TransportCase {
  readonly title: string;
  readonly change: Partial<SentRequest>;
  readonly status: number;
  readonly code: string;
  /** Where the mistake is, when it has a place. */
  readonly pointer?: string;
  /** Which bodies it is about; all when not given. */
  readonly only?: 'plain';
}

const json = { 'content-type': 'application/json' };
const malformed = (title: string, body: string | Buffer): TransportCase => ({
  title,
  change: { body, headers: json },
  status: 400,
  code: 'malformed_body',
});
const unsupported = (title: string, headers: Readonly<Record<string, string>>, body: string | Buffer = '{}') => ({
  title,
  change: { body, headers },
  status: 415,
  code: 'unsupported_media_type',
});
const misplaced = (title: string, body: string, pointer: string): TransportCase => ({
  title,
  change: { body, headers: json },
  status: 422,
  code: 'validation_failed',
  pointer,
});

/** Levels and keys of a document that are still read. Source: decisions, 15. */
const depthMax = 64;
const keysMax = 10_000;

const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const nestedLists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const manyKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;

/** Everything that is wrong with a body before anyone looks at its fields. Source: security rules, JSON; decisions, 15. */
export const transportCases: readonly TransportCase[] = [
  malformed('nothing', ''),
  malformed('half an object', '{"name":'),
  malformed('more than one document', '{}{}'),
  malformed('a comment', '{/* hello */}'),
  malformed('a trailing comma', '{"name":"a",}'),
  malformed('NaN', '{"name":NaN}'),
  malformed('a number that is too large', '{"name":1e400}'),
  malformed('bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d])),
  malformed('UTF-16', Buffer.from('{"name":"a"}', 'utf16le')),
  malformed('a control character in a text', '{"name":"a\u0001"}'),
  malformed(`${depthMax + 1} levels of objects`, nested(depthMax + 1)),
  malformed(`${depthMax + 1} levels of lists`, nestedLists(depthMax + 1)),
  malformed('100,000 levels', nestedLists(100_000).slice(0, 300_000)),
  malformed(`${keysMax + 1} keys`, manyKeys(keysMax + 1)),
  malformed('a key given twice', '{"name":"a","name":"b"}'),
  malformed('a key given twice by escapes', '{"name":"a","n\\u0061me":"b"}'),
  malformed('a key given twice inside', '{"labels":{"a":"1","a":"2"}}'),
  malformed('__proto__', '{"__proto__":{"x":1}}'),
  malformed('__proto__ inside', '{"labels":{"__proto__":{"x":1}}}'),
  malformed('__proto__ by escapes', '{"\\u005f_proto__":{"x":1}}'),
  malformed('constructor.prototype', '{"constructor":{"prototype":{"x":1}}}'),
  malformed('prototype', '{"labels":{"prototype":{"x":1}}}'),
  unsupported('no content type', {}),
  unsupported('text', { 'content-type': 'text/plain' }),
  unsupported('a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'name=a'),
  unsupported('parts of a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'),
  unsupported('XML', { 'content-type': 'application/xml' }, '<a/>'),
  unsupported('another charset', { 'content-type': 'application/json; charset=latin1' }),
  unsupported('an unknown content encoding', { ...json, 'content-encoding': 'zstd' }),
  unsupported('two content encodings', { ...json, 'content-encoding': 'gzip, gzip' }, gzipSync('{}')),
  { ...unsupported('gzip', { ...json, 'content-encoding': 'gzip' }, gzipSync('{}')), only: 'plain' },
  misplaced('null', 'null', ''),
  misplaced('a list', '[]', ''),
  misplaced('a number', '7', ''),
  misplaced('NUL in a text', '{"name":"a\\u0000b"}', '/name'),
  misplaced('NUL in a key', '{"labels":{"a\\u0000b":"c"}}', '/labels'),
  misplaced('half of a pair', '{"labels":{"a":"\\ud83d"}}', '/labels/a'),
  misplaced('half of a pair in a key', '{"labels":{"\\udc00":"a"}}', '/labels'),
];

/** Documents that are just small enough; what is wrong with them is said about their fields. */
export const readableBodies: readonly (readonly [string, string])[] = [
  [`${depthMax} levels of objects`, nested(depthMax)],
  [`${depthMax} levels of lists`, nestedLists(depthMax)],
  [`${keysMax} keys`, manyKeys(keysMax)],
];

/** YAML documents that are refused. Source: security rules, YAML; wire contract, Configuration operations. */
export const yamlCases: readonly (readonly [string, string | Buffer])[] = [
  ['a bomb of aliases', bomb()],
  ['a bomb of lists', listBomb()],
  ['an alias of itself', 'a: &a [*a]'],
  ['a function', "tenant_id: !!js/function 'function () { return 1 }'"],
  ['an own tag', 'tenant_id: !own x'],
  ['binary', 'tenant_id: !!binary aGVsbG8='],
  ['a key given twice', 'tenant_id: a\ntenant_id: b'],
  ['two documents', 'tenant_id: a\n---\ntenant_id: b'],
  ['a tab', 'gateways:\n\t- name: a'],
  ['a key that is an object', '? {a: 1}\n: x'],
  ['__proto__', 'labels:\n  __proto__: {x: 1}'],
  ['constructor', 'constructor: {prototype: {x: 1}}'],
  ['bytes that are not UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xc3, 0x28])],
  ['an open bracket', 'gateways: ['],
  ['an unknown alias', 'a: *nowhere'],
  ['too many levels', `a: ${'['.repeat(depthMax + 1)}${']'.repeat(depthMax + 1)}`],
  ['100,000 levels', '['.repeat(100_000)],
];

/** Each level names the one before it nine times. */
function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  return names
    .map((name, index) => {
      const before = names[index - 1];
      const value = before === undefined ? '"lol"' : `*${before}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => value).join(',')}]`;
    })
    .join('\n');
}

/** Seven lists, each of nine times the one before. */
function listBomb(): string {
  const levels = Array.from({ length: 7 }, (_, level) => {
    const items = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*k${level - 1}`));
    return `k${level}: &k${level} [${items.join(', ')}]`;
  });
  return levels.join('\n');
}
