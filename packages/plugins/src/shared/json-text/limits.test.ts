import { describe, expect, it } from 'vitest';
import { edited } from './edited.test-support.ts';
import { JSON_GROWTH_MAX, JSON_NODES_MAX, JSON_VISITS_MAX } from './json-document.ts';
import { JSON_DEPTH_MAX } from './scan.ts';

const nested = (levels: number, inner = '') => `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`;

describe('bounds', () => {
  it('of levels', () => {
    const remove = { op: 'remove', path: '$..x' } as const;
    expect(edited(nested(JSON_DEPTH_MAX, '{"x":1}'.slice(7)), remove)).toBe('unchanged');
    expect(edited(nested(JSON_DEPTH_MAX + 1), remove)).toBe('too_complex');
    expect(edited(`{"a":${nested(500_000)}}`, { op: 'set', path: 'b', value: 1 })).toBe('too_complex');
  });

  it('of levels in texts: brackets there are none', () => {
    const text = `{"a":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}","b":1}`;
    expect(edited(text, { op: 'remove', path: 'b' })).toBe(text.replace(',"b":1', ''));
  });

  it('of values', () => {
    const zeros = (count: number) => `[${Array.from({ length: count }, () => '0').join(',')}]`;
    expect(edited(zeros(JSON_NODES_MAX), { op: 'remove', path: '$[*]' })).toBe('[]');
    expect(edited(zeros(JSON_NODES_MAX + 1), { op: 'remove', path: '$[0]' })).toBe('too_complex');
  });

  it('of growth', () => {
    const value = 'x'.repeat(60_000);
    const many = `[${Array.from({ length: Math.ceil(JSON_GROWTH_MAX / 60_000) }, () => '0').join(',')}]`;
    expect(edited(many, { op: 'replace', path: '$[*]', value })).toBe('too_complex');
    // Each copy doubles what the next one copies.
    const doubling = Array.from({ length: 100 }, (_one, at) => ({ op: 'copy', path: '$', to: `$.c${at}` }) as const);
    expect(edited('{}', ...doubling)).toBe('too_complex');
  });

  it('of what all paths look at together', () => {
    const text = `[${Array.from({ length: 100_000 }, () => '0').join(',')}]`;
    const paths = (count: number) => Array.from({ length: count }, () => ({ op: 'remove', path: '$..x' }) as const);
    expect(edited(text, ...paths(10))).toBe('unchanged');
    expect(edited(text, ...paths(JSON_VISITS_MAX / 100_000))).toBe('too_complex');
    expect(edited(text, { op: 'remove', path: '$[?@ == 1]' })).toBe('unchanged');
    const filters = Array.from({ length: 10 }, () => ({ op: 'remove', path: '$[?@ == 1]' }) as const);
    expect(edited(text, ...filters)).toBe('too_complex');
  });

  it('of what filters look at', () => {
    const deep = `${'{"a":'.repeat(100)}"${'x'.repeat(10_000)}"${'}'.repeat(100)}`;
    expect(edited(deep, { op: 'remove', path: '$..[?@.b]' })).toBe('too_complex');
    expect(edited(deep, { op: 'remove', path: '$.a.a[?@.b]' })).toBe('unchanged');
  });
});
