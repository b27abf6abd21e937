import { describe, expect, it } from 'vitest';
import { headerEdits, mergedHeaders } from './header-edits.ts';

describe('headerEdits', () => {
  it('are remove, rename, replace, set, add, frozen through and through', () => {
    const edits = headerEdits({
      add: { e: '5' },
      set: { d: '4' },
      replace: { c: '3' },
      rename: { b: '2' },
      remove: ['a'],
    });
    expect(edits.map(({ op, name, value }) => [op, name, value])).toEqual([
      ['remove', 'a', undefined],
      ['rename', 'b', '2'],
      ['set_if_present', 'c', '3'],
      ['set', 'd', '4'],
      ['set_if_absent', 'e', '5'],
    ]);
    expect([edits, ...edits].every((part) => Object.isFrozen(part))).toBe(true);
  });
});

describe('mergedHeaders', () => {
  it.each([
    ['the last field that names a header wins', [{ a: '1', b: '2' }, { a: '3' }], { a: '3', b: '2' }],
    ['in whatever case', [{ 'X-A': '1' }, { 'x-a': '2' }], { 'x-a': '2' }],
    ['within one field, too', [{ 'X-A': '1', 'x-a': '2' }], { 'x-a': '2' }],
    ['lists of lines', [['A: 1', 'b:2:3', ' c : '], { a: '4' }], { a: '4', b: '2:3', c: '' }],
    ['absent fields are none', [undefined, { a: '1' }, undefined], { a: '1' }],
  ])('%s', (_name, fields, merged) => expect(mergedHeaders(...fields)).toEqual(merged));
});
