import { describe, expect, it } from 'vitest';
import { listSecretNames, withSecretNames } from './secret-names.ts';

const names = { sessions: { key: 'id' }, claims: { key: 'token', value: 'claims' } };

describe('listSecretNames', () => {
  it.each<[string, unknown, unknown]>([
    [
      'a map of objects',
      { sessions: { s1: { roles: ['a'] }, s2: {} } },
      { sessions: [{ id: 's1', roles: ['a'] }, { id: 's2' }] },
    ],
    ['a map of values', { claims: { t1: { sub: 'u' } } }, { claims: [{ token: 't1', claims: { sub: 'u' } }] }],
    ['a map of values that are not right', { claims: { t1: 1 } }, { claims: [{ token: 't1', claims: 1 }] }],
    ['other fields beside it', { a: 1, claims: {} }, { a: 1, claims: [] }],
  ])('makes a list of %s', (_name, config, listed) => {
    expect(listSecretNames(config, names)).toEqual(listed);
  });

  it.each<[string, unknown]>([
    ['a list', { sessions: [{ id: 's1' }] }],
    ['a map with something else than objects', { sessions: { s1: {}, s2: 'x' } }],
    ['a map with an object that has such a field', { sessions: { s1: { id: 's2' } } }],
    ['a field that is no map', { sessions: 'x', claims: null }],
    ['a config without the fields', { a: 1 }],
    ['a config that is none', [1]],
    ['nothing', undefined],
  ])('leaves %s as it is', (_name, config) => {
    expect(listSecretNames(config, names)).toBe(config);
  });
});

describe('withSecretNames', () => {
  const id = { type: 'string', maxLength: 9, minLength: 1, 'x-secret': true };
  const item = { type: 'object', properties: { id, n: { type: 'number' } }, required: ['id', 'n'] };
  const list = { type: 'array', items: item, maxItems: 3 };

  it('adds the map to the list, with the description for both', () => {
    const schema = { properties: { sessions: { description: 'All', ...list }, b: {} }, required: ['b'] };
    expect(withSecretNames(schema, { sessions: { key: 'id' } })).toEqual({
      properties: {
        sessions: {
          description: 'All',
          anyOf: [
            list,
            {
              type: 'object',
              propertyNames: { maxLength: 9, minLength: 1 },
              additionalProperties: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
              maxProperties: 3,
            },
          ],
        },
        b: {},
      },
      required: ['b'],
    });
  });

  it('takes the schema of the value where it has a field of its own', () => {
    const schema = { properties: { sessions: list } };
    const { properties } = withSecretNames(schema, { sessions: { key: 'id', value: 'n' } });
    expect(properties).toMatchObject({ sessions: { anyOf: [list, { additionalProperties: { type: 'number' } }] } });
  });

  it('changes nothing of other schemas', () => {
    const schema = { properties: {} };
    expect(withSecretNames(schema, {})).toBe(schema);
  });
});
