import { describe, expect, it } from 'vitest';
import type { SaidOperation } from './compile-operation.ts';
import { edited } from './edited.test-support.ts';

const value = 9;
type Case = readonly [string, SaidOperation, string, string];

describe('operations', () => {
  it.each<Case>([
    ['remove', { op: 'remove', path: '$.a' }, '{"a":1,"b":2}', '{"b":2}'],
    ['remove of the last', { op: 'remove', path: '$.b' }, '{"a":1,"b":2}', '{"a":1}'],
    ['remove of the only one', { op: 'remove', path: '$.a' }, '{ "a" : 1 }', '{ }'],
    ['remove of an element', { op: 'remove', path: '$[1]' }, '[1, 2, 3]', '[1, 3]'],
    ['remove of all elements', { op: 'remove', path: '$[*]' }, '[1,2,3]', '[]'],
    ['remove of nothing', { op: 'remove', path: '$.x.y' }, '{"x":[1]}', 'unchanged'],
    ['rename', { op: 'rename', path: '$.a', to: 'c' }, '{"a" :1,"b":2}', '{"c" :1,"b":2}'],
    [
      'rename in many places',
      { op: 'rename', path: '$[*].a', to: 'b' },
      '[{"a":1},{"a":2},{}]',
      '[{"b":1},{"b":2},{}]',
    ],
    [
      'rename replaces what had the name',
      { op: 'rename', path: 'a', to: 'b' },
      '{"a":1,"b":2}',
      '{"a":1}'.replace('a', 'b'),
    ],
    [
      'rename to a path of the same object',
      { op: 'rename', path: '$.u.a', to: '$.u.b' },
      '{"u":{"a":1}}',
      '{"u":{"b":1}}',
    ],
    [
      'rename to another place moves',
      { op: 'rename', path: 'u.a', to: 'b.c' },
      '{"u":{"a":1}}',
      '{"u":{},"b":{"c":1}}',
    ],
    ['rename of elements does nothing', { op: 'rename', path: '$[*]', to: 'b' }, '[1,2]', 'unchanged'],
    ['rename of nothing', { op: 'rename', path: 'a', to: 'b' }, '{"b":2}', 'unchanged'],
    ['move', { op: 'move', path: '$.a.b', to: '$.c' }, '{"a":{"b":[1]}}', '{"a":{},"c":[1]}'],
    ['move over what holds it', { op: 'move', path: '$.a.b', to: '$.a' }, '{"a":{"b":1}}', '{"a":1}'],
    ['move to where nothing can be', { op: 'move', path: '$.a', to: '$.b.c' }, '{"a":1,"b":2}', 'unchanged'],
    ['move of nothing', { op: 'move', path: '$.a', to: '$.b' }, '{"b":2}', 'unchanged'],
    ['move onto itself by another path', { op: 'move', path: '$[-1]', to: '$[1]' }, '[1,2]', 'unchanged'],
    ['move of elements', { op: 'move', path: '$[0]', to: '$[3]' }, '[1,2,3]', '[2,3,1]'],
    ['copy', { op: 'copy', path: '$.a', to: '$.b.c' }, '{"a":{"x":1.0}}', '{"a":{"x":1.0},"b":{"c":{"x":1.0}}}'],
    ['copy into itself', { op: 'copy', path: '$', to: '$.a' }, '{"a":1}', '{"a":{"a":1}}'],
    ['replace', { op: 'replace', path: '$.a', value }, '{"a":1}', '{"a":9}'],
    ['replace of nothing', { op: 'replace', path: '$.b', value }, '{"a":1}', 'unchanged'],
    ['replace of all', { op: 'replace', path: '$', value }, ' {"a":1}\n', ' 9\n'],
    ['replace with what is there', { op: 'replace', path: '$.a', value }, '{"a":9}', 'unchanged'],
    ['set of what is there', { op: 'set', path: '$.a', value }, '{"a":1}', '{"a":9}'],
    ['set of what is not there', { op: 'set', path: '$.b', value }, '{"a":1}', '{"a":1,"b":9}'],
    ['set makes objects on the way', { op: 'set', path: 'a.b.c', value }, '{"a":{}}', '{"a":{"b":{"c":9}}}'],
    ['set does not replace a text by an object', { op: 'set', path: 'a.b', value }, '{"a":"x"}', 'unchanged'],
    ['set in each', { op: 'set', path: '$.a[*].b', value }, '{"a":[{},{"b":1},2]}', '{"a":[{"b":9},{"b":9},2]}'],
    ['set at any depth', { op: 'set', path: '$..b', value }, '{"b":[{"b":1}],"c":{"b":1}}', '{"b":9,"c":{"b":9}}'],
    ['set of an element', { op: 'set', path: '$[0]', value }, '[1]', '[9]'],
    ['set of an element behind the last', { op: 'set', path: '$.a[1]', value }, '{"a":[1]}', '{"a":[1,9]}'],
    ['set of an element further behind', { op: 'set', path: '$.a[2]', value }, '{"a":[1]}', 'unchanged'],
    ['set of an element from the end', { op: 'set', path: '$[-1]', value }, '[1,2]', '[1,9]'],
    ['set of an element in front of the first', { op: 'set', path: '$[-3]', value }, '[1,2]', 'unchanged'],
    ['set of a member of an array', { op: 'set', path: '$.a', value }, '[]', 'unchanged'],
    ['add of what is there', { op: 'add', path: '$.a', value }, '{"a":null}', 'unchanged'],
    ['add of what is not there', { op: 'add', path: '$.b', value }, '{}', '{"b":9}'],
    ['add in each object that has none', { op: 'add', path: '$[*].b', value }, '[{},{"b":1}]', '[{"b":9},{"b":1}]'],
    ['add of null', { op: 'add', path: '$.b', value: null }, '{}', '{"b":null}'],
    ['a bare number is an index', { op: 'set', path: 'a.0', value }, '{"a":[1]}', '{"a":[9]}'],
    ['a bare number is a name', { op: 'replace', path: 'a.0', value }, '{"a":{"0":1}}', '{"a":{"0":9}}'],
    ['a name with a hyphen', { op: 'set', path: 'x-a.b-c', value }, '{}', '{"x-a":{"b-c":9}}'],
    ['a name with a dot', { op: 'set', path: "$['a.b']", value }, '{"a":{"b":1}}', '{"a":{"b":1},"a.b":9}'],
  ])('%s', (_name, operation, before, after) => expect(edited(before, operation)).toBe(after));

  it('work in turn, each on what the one before left', () => {
    const text = edited(
      '{"a":1,"b":{"c":2}}',
      { op: 'set', path: 'n', value: { x: [] } },
      { op: 'set', path: 'n.x[0].y', value: 1 },
      { op: 'add', path: 'n.x[0]', value: { z: 1 } },
      { op: 'rename', path: 'n.x[0].z', to: 'w' },
      { op: 'move', path: 'b.c', to: 'n.x[0].c' },
      { op: 'remove', path: '$.a' },
    );
    expect(text).toBe('{"b":{},"n":{"x":[{"w":1,"c":2}]}}');
  });
});

describe('what is not touched', () => {
  it.each([
    ['digits', '{"id":12345678901234567890,"f":1.10,"e":1E+2,"n":-0.0,"x":1}'],
    ['order of names that look like numbers', '{"2":1,"10":2,"1":3,"x":1}'],
    ['escapes', '{"\\u0061\\n\\"":"\\ud83d\\u0000\\/","x":1}'],
    ['names that objects have', '{"__proto__":{"a":1},"constructor":2,"toString":3,"x":1}'],
    ['duplicates', '{"a":1,"a":2,"x":1}'],
    ['white space', '{\r\n\t"a" : [ 1 , 2 ] ,\n "x":1}'],
  ])('%s stays', (_name, text) => {
    expect(edited(text, { op: 'replace', path: 'x', value })).toBe(text.replace('"x":1', '"x":9'));
    expect(edited(text, { op: 'set', path: 'y', value })).toMatch(/"y"\s*:\s*9\}$/);
  });

  it('new members are spaced as the first one', () => {
    const pretty = '{\n  "a": 1,\n  "b": 2\n}';
    expect(edited(pretty, { op: 'set', path: 'c', value })).toBe('{\n  "a": 1,\n  "b": 2,\n  "c": 9\n}');
    expect(edited(pretty, { op: 'remove', path: 'b' })).toBe('{\n  "a": 1\n}');
    const anew = edited(pretty, { op: 'remove', path: '$.*' }, { op: 'set', path: 'c', value });
    expect(anew).toBe('{\n  "c": 9\n}');
  });
});

describe('names that stand several times', () => {
  const twice = '{"p":{"s":1},"p":{"s":2,"s":3},"q":1}';
  it.each<Case>([
    ['are all removed', { op: 'remove', path: 'p' }, twice, '{"q":1}'],
    ['are all replaced', { op: 'replace', path: '$.p', value }, twice, '{"p":9,"p":9,"q":1}'],
    ['are all set', { op: 'set', path: '$.p', value }, twice, '{"p":9,"p":9,"q":1}'],
    ['are all looked into', { op: 'replace', path: '$.p.s', value }, twice, '{"p":{"s":9},"p":{"s":9,"s":9},"q":1}'],
    ['are found at any depth', { op: 'remove', path: '$..s' }, twice, '{"p":{},"p":{},"q":1}'],
    ['are found by escapes', { op: 'remove', path: 'p' }, '{"\\u0070":1,"p":2}', '{}'],
    ['are all renamed', { op: 'rename', path: 'p', to: 'q' }, '{"p":1,"p":2,"q":3}', '{"q":1,"q":2}'],
    ['the last is moved, none stays', { op: 'move', path: 'p', to: '$.r' }, '{"p":1,"p":2}', '{"r":2}'],
  ])('%s', (_name, operation, before, after) => expect(edited(before, operation)).toBe(after));
});

it.each(['', ' ', '{', '{"a":1,}', "{'a':1}", '{"a":01}', 'undefined', '[1]x', '{"a":"\u0001"}', '\u{feff}{}'])(
  '%j is no JSON',
  (text) => expect(edited(text, { op: 'remove', path: 'a' })).toBe('malformed'),
);

it('no edit reaches what all objects share', () => {
  const text = edited(
    '{}',
    { op: 'set', path: '__proto__.polluted', value: 1 },
    { op: 'set', path: '$.constructor.prototype.polluted', value: 1 },
    { op: 'copy', path: '$.__proto__', to: '$.a.__proto__' },
  );
  expect(text).toBe(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}',
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
