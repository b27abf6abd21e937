import { describe, expect, it, vi } from 'vitest';
import type { SaidOperation } from './compile-operation.ts';
import { edited } from './edited.test-support.ts';

const mark = { op: 'set', path: '$.seen', value: 1 } as const;

describe('filters after edits look at what is there now', () => {
  it.each<[string, string, readonly SaidOperation[], string]>([
    [
      'a value that was replaced',
      '{"a":[{"k":1},{"k":2}]}',
      [
        { op: 'replace', path: '$.a[0].k', value: 2 },
        { op: 'remove', path: '$.a[?@.k == 2]' },
      ],
      '{"a":[]}',
    ],
    [
      'an element behind one that was removed',
      '{"a":[{"k":1},{"k":2},{"k":3}]}',
      [
        { op: 'remove', path: '$.a[0]' },
        { op: 'remove', path: '$.a[?@.k == 2]' },
      ],
      '{"a":[{"k":3}]}',
    ],
    [
      'a member with another name',
      '{"o":{"k":{"in":1}},"p":{"q":1}}',
      [
        { op: 'rename', path: '$.o.k', to: 'l' },
        { op: 'remove', path: '$[?@.l.in == 1]' },
      ],
      '{"p":{"q":1}}',
    ],
    [
      'what is in a member with another name',
      '{"o":{"k":[{"n":1},{"n":2}]}}',
      [
        { op: 'rename', path: '$.o.k', to: 'l' },
        { op: 'remove', path: '$.o.l[?@.n == 2]' },
      ],
      '{"o":{"l":[{"n":1}]}}',
    ],
    [
      'what was copied, and edited there',
      '{"a":{"b":[1,2]}}',
      [
        { op: 'copy', path: '$.a', to: '$.c' },
        { op: 'replace', path: '$.c.b[0]', value: 9 },
        { op: 'remove', path: '$.*.b[?@ == 9]' },
      ],
      '{"a":{"b":[1,2]},"c":{"b":[2]}}',
    ],
    [
      'a copy of all',
      '{"a":[5]}',
      [
        { op: 'copy', path: '$', to: '$.all' },
        { op: 'remove', path: '$.all.a[?@ == 5]' },
      ],
      '{"a":[5],"all":{"a":[]}}',
    ],
    [
      'another whole text',
      '{"a":[5]}',
      [
        { op: 'replace', path: '$', value: { b: [6, 7] } },
        { op: 'remove', path: '$.b[?@ == 6]' },
      ],
      '{"b":[7]}',
    ],
    [
      'the root, each time',
      '{"k":1,"a":[1,2]}',
      [
        { op: 'remove', path: '$.a[?@ == $.k]' },
        { op: 'set', path: '$.k', value: 2 },
        { op: 'remove', path: '$.a[?@ == $.k]' },
      ],
      '{"k":2,"a":[]}',
    ],
    [
      'names that objects have',
      '{"__proto__":{"k":1},"x":{"__proto__":1}}',
      [mark, { op: 'remove', path: "$[?@.k == 1 || @['__proto__'] == 1]" }],
      '{"seen":1}',
    ],
  ])('%s', (_name, before, operations, after) => expect(edited(before, ...operations)).toBe(after));
});

describe('a name that stands twice', () => {
  const twice = '{"items":[{"k":"card","k":"x","n":2}]}';

  it.each(['$.items[?@.k == "card"].n', '$..[?@.n == 2]', '$.items[?$.items[0].k == "x"]'])(
    'is nothing that %s can be asked of: readers differ',
    (path) => expect(edited(twice, { op: 'remove', path: path.replaceAll('"', "'") })).toBe('ambiguous'),
  );

  it('is edited in all its places by paths without a filter', () => {
    expect(edited(twice, { op: 'replace', path: '$..k', value: 0 })).toBe('{"items":[{"k":0,"k":0,"n":2}]}');
  });
});

it('parses a text once, however deep it is nested', () => {
  const levels = 14;
  const text = `${'{"a":'.repeat(levels)}[${'{"b":1},'.repeat(2000)}1]${'}'.repeat(levels)}`;
  const parse = vi.spyOn(JSON, 'parse');
  try {
    expect(edited(text, { op: 'remove', path: "$..[?@.zz == 'x']" })).toBe('unchanged');
    const characters = parse.mock.calls.reduce((sum, [given]) => sum + given.length, 0);
    expect(characters).toBe(text.length);
  } finally {
    parse.mockRestore();
  }
});
