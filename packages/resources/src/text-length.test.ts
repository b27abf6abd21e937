import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, writeSchema } from './index.ts';
import { maxCharacters, minCharacters } from './text-length.ts';

/** One character, two UTF-16 units, four bytes in UTF-8. */
const fox = '🦊';

/** The rules that a record breaks, by place. */
function broken(family: string, record: object): unknown[] {
  const { issues } = v.safeParse(writeSchema(familyNamed(family)), record);
  return (issues ?? []).map((issue) => [v.getDotPath(issue), issue.type, issue.message]);
}

describe('lengths of texts', () => {
  it('of a name are counted in characters of any kind', () => {
    for (const letter of ['a', 'é', fox]) {
      expect(broken('gateways', { name: letter.repeat(256) })).toEqual([]);
      const tooLong = ['name', 'max_length', 'must be at most 256 characters'];
      expect(broken('gateways', { name: letter.repeat(257) })).toEqual([tooLong]);
    }
    expect(broken('gateways', { name: fox.repeat(100_000) })).toHaveLength(1);
    expect(broken('gateways', { name: '' })).toEqual([['name', 'min_length', 'must not be empty']]);
  });

  it.each([
    ['gateways', 'description', 2000],
    ['users', 'username', 128],
    ['users', 'password', 128],
    ['consumer-credentials', 'password', 256],
    ['upstreams', 'hash_on_query_arg', 256],
  ])('of %s: %s is at most %d', (family, field, most) => {
    const record = (length: number): object => ({ [field]: fox.repeat(length) });
    const placesOf = (one: object): unknown[] => broken(family, one).filter((issue) => String(issue).startsWith(field));
    expect(placesOf(record(most))).toEqual([]);
    expect(placesOf(record(most + 1))).toEqual([[field, 'max_length', `must be at most ${most} characters`]]);
  });

  it('of labels are counted alike', () => {
    expect(broken('gateways', { name: 'a', labels: { [fox.repeat(128)]: fox.repeat(256) } })).toEqual([]);
    expect(broken('gateways', { name: 'a', labels: { a: fox.repeat(257) } })).toHaveLength(1);
    expect(broken('gateways', { name: 'a', labels: { [fox.repeat(129)]: '' } })).toHaveLength(1);
  });

  it('of a password are at least eight characters, not eight units', () => {
    const withPassword = (password: string): object => ({ username: 'u', role: 'reader', password });
    expect(broken('users', withPassword(fox.repeat(8)))).toEqual([]);
    for (const password of [fox.repeat(7), 'a'.repeat(7), `${fox}${'a'.repeat(6)}`]) {
      expect(broken('users', withPassword(password))).toEqual([
        ['password', 'min_length', 'must be at least 8 characters'],
      ]);
    }
  });

  it('are told to whoever describes them as the library tells its own', () => {
    const [most, least] = [maxCharacters(5), minCharacters(2)];
    expect([most.type, most.requirement, least.type, least.requirement]).toEqual(['max_length', 5, 'min_length', 2]);
  });
});
