import { describe, expect, it } from 'vitest';
import { edited } from './edited.test-support.ts';
import { JSON_PATH_LENGTH_MAX, JSON_PATH_STEPS_MAX, compileJsonPath, isSingular } from './json-path.ts';
import { compileOperation, type SaidOperation } from './compile-operation.ts';

function compiled(path: string) {
  const result = compileJsonPath(path);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

describe('paths', () => {
  it.each<[string, string]>([
    ['a', "$['a']"],
    ['a.b-c', "$['a']['b-c']"],
    ['a[0].b', "$['a'][0]['b']"],
    ['a[*]', "$['a'][*]"],
    ['a.*.b', "$['a'][*]['b']"],
    ['über.ß', "$['über']['ß']"],
    ['__proto__.constructor', "$['__proto__']['constructor']"],
  ])('bare %s is %s', (bare, path) => expect(compiled(bare)).toEqual(compiled(path)));

  it.each(['$', '$.a', '$..a', '$.a[-1]', '$[1:3]', "$['a','b']", '$[?@.a > 1 && !@.b]', "$[?match(@.a, 'x.*')]"])(
    'takes %s',
    (path) => expect(compileJsonPath(path)).toHaveProperty('segments'),
  );

  it.each([
    ...[
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      'a[',
      'a[b]',
      'a[-1]',
      'a]',
      '[0]',
      '$.',
      '$[',
      '$a',
      '$.a[',
      '$..',
      '$[?]',
      '$.a b',
    ],
    ...['@.a', '$[?@.a == ]', '$[?length(@) ]', '$[?f(@)]', `$.${'a'.repeat(JSON_PATH_LENGTH_MAX)}`],
    ...[`$${'.a'.repeat(JSON_PATH_STEPS_MAX + 1)}`, `a${'.a'.repeat(JSON_PATH_STEPS_MAX)}`],
  ])('refuses %j in words', (path) => {
    const mistake = compileJsonPath(path);
    expect(mistake).toEqual(expect.stringMatching(/^must /));
  });

  it.each([
    ['one that looks at every depth', '$[?@..a]'],
    ['one within one', '$[?@[?@.a]]'],
    ['one that goes through the whole text', '$[?@.a == $.b[*]]'.replace('==', '&&')],
    ['one of a function', '$[?count($..a) > 1]'],
    ['one with look-around', "$[?search(@, '(?=a)')]"],
    ['one that repeats too much', "$[?match(@, '(a{99}){99}')]"],
    ['one whose expression is in the text', '$[?match(@.a, @.b)]'],
  ])('refuses %s as a filter', (_name, path) => expect(compileJsonPath(path)).toEqual(expect.any(String)));

  it.each<[string, boolean]>([
    ['$.a[0]', true],
    ['$', true],
    ['$.a[*]', false],
    ['$..a', false],
    ["$['a','b']", false],
    ['$[0:1]', false],
    ['$[?@.a]', false],
  ])('%s names one place: %s', (path, isOne) => expect(isSingular(compiled(path))).toBe(isOne));
});

describe('filters', () => {
  const text = '[{"t":"ab","n":1},{"t":"b","n":2,"k":0},{"n":"x"}]';
  it.each<[string, string]>([
    ['$[?@.n == 1]', '[{"t":"b","n":2,"k":0},{"n":"x"}]'],
    ['$[?@.k]', '[{"t":"ab","n":1},{"n":"x"}]'],
    ["$[?match(@.t, 'b')]", '[{"t":"ab","n":1},{"n":"x"}]'],
    ["$[?search(@.t, '^a|x')]", '[{"t":"b","n":2,"k":0},{"n":"x"}]'],
    ['$[?length(@.t) == 2]', '[{"t":"b","n":2,"k":0},{"n":"x"}]'],
    ['$[?@.n == $[1].n]', '[{"t":"ab","n":1},{"n":"x"}]'],
    ["$[?@.n != 'x']", '[{"n":"x"}]'],
    ['$.*[?@ == 0]', '[{"t":"ab","n":1},{"t":"b","n":2},{"n":"x"}]'],
  ])('%s', (path, after) => expect(edited(text, { op: 'remove', path })).toBe(after));

  it('take no time with expressions that are hard for others', () => {
    const hard = JSON.stringify([`${'a'.repeat(40_000)}!`]);
    expect(edited(hard, { op: 'remove', path: "$[?match(@, '(a+)+')]" })).toBe('unchanged');
  });
});

describe('mistakes of operations', () => {
  it.each<[string, SaidOperation, string]>([
    ['remove of all', { op: 'remove', path: '$' }, 'path'],
    ['rename without a name', { op: 'rename', path: 'a' }, 'to'],
    ['rename of an element', { op: 'rename', path: '$[0]', to: 'b' }, 'path'],
    ['rename to several places', { op: 'rename', path: 'a', to: '$.b[*]' }, 'to'],
    ['rename of several to one place', { op: 'rename', path: '$..a', to: '$.b.c' }, 'path'],
    ['move into itself', { op: 'move', path: 'a', to: '$.a.b' }, 'to'],
    ['move onto itself', { op: 'move', path: 'a', to: "$['a']" }, 'to'],
    ['move of all', { op: 'move', path: '$', to: '$.a' }, 'path'],
    ['move to all', { op: 'move', path: 'a', to: '$' }, 'to'],
    ['copy of several', { op: 'copy', path: '$.*', to: 'a' }, 'path'],
    ['set without a value', { op: 'set', path: 'a' }, 'value'],
    ['add where no name is said', { op: 'add', path: '$[*]', value: 1 }, 'path'],
    ['add at any depth', { op: 'add', path: '$..a', value: 1 }, 'path'],
    ['replace with a name', { op: 'replace', path: 'a', value: 1, to: 'b' }, 'to'],
    ['no path', { op: 'replace', path: '', value: 1 }, 'path'],
  ])('%s', (_name, said, field) => expect(compileOperation(said)).toMatchObject({ field }));
});
