import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeaderList, type HeaderEdit } from './index.ts';

const list = () => new HeaderList(['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b']);

describe('HeaderList', () => {
  it('finds fields without regard to case and joins their lines in order', () => {
    const headers = list();
    expect([headers.get('ACCEPT'), headers.getAll('aCCept'), headers.has('x-a')]).toEqual(['a, b', ['a', 'b'], true]);
    expect([headers.get('missing'), headers.getAll('missing'), headers.has('missing')]).toEqual([undefined, [], false]);
  });

  it('has a field with an empty value', () => {
    const headers = new HeaderList(['X-Empty', '']);
    expect([headers.has('x-empty'), headers.get('x-empty')]).toEqual([true, '']);
  });

  it('does not take ^ for ~ or @ for `, which differ by the same bit as letter cases', () => {
    const headers = new HeaderList(['x^', '1']);
    expect([headers.has('x~'), headers.has('X^')]).toEqual([false, true]);
  });

  it.each<[HeaderEdit, string[]]>([
    [{ op: 'set', name: 'ACCEPT', value: 'c' }, ['Host', 'h', 'ACCEPT', 'c', 'X-A', '1']],
    [{ op: 'set', name: 'new', value: 'c' }, ['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b', 'new', 'c']],
    [{ op: 'append', name: 'X-A', value: '2' }, ['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b', 'X-A', '2']],
    [{ op: 'set_if_absent', name: 'x-a', value: '2' }, ['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b']],
    [{ op: 'set_if_present', name: 'x-a', value: '2' }, ['Host', 'h', 'Accept', 'a', 'x-a', '2', 'accept', 'b']],
    [{ op: 'set_if_present', name: 'x-b', value: '2' }, ['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b']],
    [{ op: 'remove', name: 'accept' }, ['Host', 'h', 'X-A', '1']],
    [{ op: 'rename', name: 'accept', value: 'x-a' }, ['Host', 'h', 'x-a', 'a', 'x-a', 'b']],
    [{ op: 'rename', name: 'missing', value: 'x-a' }, ['Host', 'h', 'Accept', 'a', 'X-A', '1', 'accept', 'b']],
    [{ op: 'rename', name: 'x-a', value: 'X-a' }, ['Host', 'h', 'Accept', 'a', 'X-a', '1', 'accept', 'b']],
  ])('applies %o', (edit, pairs) => {
    const headers = list();
    headers.apply([edit]);
    expect(headers.toPairs()).toEqual(pairs);
  });

  it.each<[string, object]>([
    ['a line break in a value', { op: 'set', name: 'a', value: 'b\r\nset-cookie: x' }],
    ['a NUL in a value', { op: 'append', name: 'a', value: 'b\0' }],
    ['a character of two bytes', { op: 'set', name: 'a', value: 'č' }],
    ['a colon in a name', { op: 'set', name: 'a:', value: 'b' }],
    ['an empty name', { op: 'remove', name: '' }],
    ['a missing value', { op: 'set', name: 'a' }],
    ['a bad new name', { op: 'rename', name: 'accept', value: 'a b' }],
    ['an unknown op', { op: 'replace', name: 'a', value: 'b' }],
  ])('refuses %s and changes nothing, the valid edits before it included', (_name, edit) => {
    const headers = list();
    expect(() => headers.apply([{ op: 'remove', name: 'host' }, edit as HeaderEdit])).toThrow(TypeError);
    expect(headers.toPairs()).toEqual(list().toPairs());
  });

  it('never shows a refused value', () => {
    expect(() => list().apply([{ op: 'set', name: 'a', value: 'hush\n' }])).toThrow(/^(?!.*hush)/);
  });

  it('agrees with a list of lines that is filtered and mapped, for any edits', () => {
    const name = fc.constantFrom('a', 'A', 'b', 'c');
    const op = fc.constantFrom<HeaderEdit['op'][]>(
      'set',
      'append',
      'set_if_absent',
      'set_if_present',
      'remove',
      'rename',
    );
    const edit = fc.record({ op, name, value: fc.constantFrom('a', 'B', 'c') });
    const lines = fc.array(fc.tuple(name, fc.constantFrom('1', '2')), { maxLength: 6 });
    fc.assert(
      fc.property(lines, fc.array(edit, { maxLength: 6 }), (before, edits) => {
        const headers = new HeaderList(before.flat());
        headers.apply(edits);
        expect(sorted(pairsOf(headers.toPairs()))).toEqual(sorted(edits.reduce(naive, before)));
      }),
    );
  });
});

type Line = readonly [string, string];

function naive(lines: readonly Line[], { op, name, value = '' }: HeaderEdit): Line[] {
  const is = (other: string) => (line: Line) => line[0].toLowerCase() === other.toLowerCase();
  const without = (other: string) => lines.filter((line) => !is(other)(line));
  const isThere = lines.some(is(name));
  if (op === 'append') return [...lines, [name, value]];
  if (op === 'remove') return without(name);
  if (op === 'rename') {
    if (!isThere) return [...lines];
    const kept = name.toLowerCase() === value.toLowerCase() ? lines : without(value);
    return kept.map((line) => (is(name)(line) ? [value, line[1]] : line));
  }
  if ((op === 'set_if_absent' && isThere) || (op === 'set_if_present' && !isThere)) return [...lines];
  return [...without(name), [name, value]];
}

function pairsOf(pairs: readonly string[]): Line[] {
  return pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? ''] as const] : []));
}

/** Where a line that was set stands among others of other names is not part of the rule. */
function sorted(lines: readonly Line[]): string[] {
  return lines.map((line) => line.join(': ')).sort();
}
