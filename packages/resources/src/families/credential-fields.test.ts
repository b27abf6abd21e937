import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { familyNamed, writeSchema } from '../index.ts';

const family = familyNamed('consumer-credentials');
const schema = writeSchema(family);

/** Pointers of everything that is wrong with a credential: its fields, else what they make together. */
function placesOf(fields: object): unknown[] {
  const record = { consumer_id: 'c', ...fields };
  const result = v.safeParse(schema, record);
  if (!result.success) return result.issues.map((issue) => `/${String(v.getDotPath(issue)).replaceAll('.', '/')}`);
  return (family.rules ?? []).flatMap((rule) => rule(result.output)).map(({ pointer }) => pointer);
}

describe('fields of credentials', () => {
  const text = (length: number): string => 'k'.repeat(length);

  it.each([
    ['api_key', {}, 'key', 1, 512],
    ['jwt', { secret: text(16) }, 'key', 1, 256],
    ['jwt', {}, 'secret', 1, 1024],
    ['hmac', {}, 'secret', 1, 1024],
    ['hmac', {}, 'key_id', 1, 128],
    ['basic', { username: 'u' }, 'password', 1, 256],
    ['basic', {}, 'username', 1, 256],
  ])('%s with %j bounds %s to %i to %i characters', (type, others, field, min, max) => {
    const place = `/${field}`;
    for (const length of [min, max]) expect(placesOf({ type, ...others, [field]: text(length) })).toEqual([]);
    for (const length of [min - 1, max + 1]) {
      expect(placesOf({ type, ...others, [field]: text(length) }), String(length)).toContain(place);
    }
  });

  it.each(['with space', 'ünicode', 'tab\there', 'line\nbreak'])('%j fits into no header, so it is no key', (wrong) => {
    expect(placesOf({ type: 'api_key', key: `${wrong}-and-some-more` })).toContain('/key');
    expect(placesOf({ type: 'hmac', key_id: wrong })).toContain('/key_id');
    expect(placesOf({ type: 'hmac', secret: `${wrong}-and-some-more` })).toContain('/secret');
  });

  it('a mask stands for a stored secret', () => {
    for (const mask of ['[redacted]', '[redacted:0123abcd]']) {
      expect(placesOf({ type: 'api_key', key: mask })).toEqual([]);
      expect(placesOf({ type: 'hmac', secret: mask })).toEqual([]);
    }
  });

  it('a token credential has what its algorithm needs and nothing else', () => {
    const both = { secret: text(16), public_key: 'PEM' };
    expect(placesOf({ type: 'jwt', algorithm: 'HS256', ...both })).toEqual(['/public_key']);
    expect(placesOf({ type: 'jwt', ...both })).toEqual(['/public_key']);
    expect(placesOf({ type: 'jwt', algorithm: 'PS512', ...both })).toEqual(['/secret']);
    expect(placesOf({ type: 'jwt', algorithm: 'EdDSA' })).toEqual(['/public_key']);
    expect(placesOf({ type: 'jwt' })).toEqual([]);
  });

  it('a field of another kind is refused at its place', () => {
    const everything = {
      key: text(16),
      username: 'u',
      password: text(8),
      key_id: 'k',
      secret: text(16),
      algorithms: ['hmac-sha256'],
      algorithm: 'HS256',
    };
    const refused = (type: string) =>
      placesOf({ type, ...everything })
        .map(String)
        .toSorted();
    expect(refused('api_key')).toEqual(['/algorithm', '/algorithms', '/key_id', '/password', '/secret', '/username']);
    expect(refused('basic')).toEqual(['/algorithm', '/algorithms', '/key', '/key_id', '/secret']);
    expect(refused('hmac')).toEqual(['/algorithm', '/key', '/password', '/username']);
    expect(refused('jwt')).toEqual(['/algorithms', '/key_id', '/password', '/username']);
  });
});
