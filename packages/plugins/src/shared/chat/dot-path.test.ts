import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { dotPath, dotPathField } from './dot-path.ts';

const value = { a: { b: [{ c: 1 }] }, t: '{"x":{"y":2}}', f: '```json\n{"z":3}\n```', 'a-b': 4, list: [] };

describe('a path', () => {
  it.each<[string, unknown]>([
    ['a.b.0.c', 1],
    ['a.b[0].c', 1],
    ['$.a.b.0.c', 1],
    ['$', value],
    ['a-b', 4],
    ['t.x.y', 2],
    ['f.z', 3],
    ['a.b.1', undefined],
    ['a.b.c', undefined],
    ['a.b.length', undefined],
    ['constructor.name', undefined],
    ['__proto__', undefined],
    ['list.0', undefined],
    ['a-b.c', undefined],
  ])('%s', (path, found) => {
    expect(v.is(dotPathField('x'), path)).toBe(true);
    expect(dotPath(path)(value)).toEqual(found);
  });

  it.each(['', 'a b', 'a..b', 'a[x]', 'a$b', '.'])('%j is none', (path) => {
    expect(v.is(dotPathField('x'), path)).toBe(false);
  });
});
