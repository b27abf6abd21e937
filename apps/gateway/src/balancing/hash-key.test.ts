import { describe, expect, it } from 'vitest';
import { requestOf } from './balancing.test-support.ts';
import { hashOf } from './hash.ts';
import { cookieOf, hashKeyOf, parameterOf } from './hash-key.ts';
import type { HashInput } from './upstream-plan.ts';

const none: HashInput = { what: 'none' };
const full = requestOf({
  consumerId: 'anna',
  path: '/a',
  query: 'x=1&b%5B%5D=two+words&b%5B%5D=3',
  fields: ['host', 'h', 'X-Tenant', 'one', 'x-tenant', 'two', 'Cookie', 'a=1; session="s p"; b=2'],
  capture: (group) => (group === 'id' ? '42' : undefined),
});

describe('what a request is told apart by', () => {
  it.each<[HashInput, string | undefined]>([
    [none, undefined],
    [{ what: 'consumer' }, 'anna'],
    [{ what: 'ip' }, '192.0.2.1'],
    [{ what: 'path' }, '/a'],
    [{ what: 'header', name: 'x-tenant' }, 'one, two'],
    [{ what: 'header', name: 'x-other' }, undefined],
    [{ what: 'query_arg', name: 'b[]' }, 'two words'],
    [{ what: 'query_arg', name: 'y' }, undefined],
    [{ what: 'uri_capture', name: 'id' }, '42'],
    [{ what: 'uri_capture', name: '1' }, undefined],
    [{ what: 'cookie', name: 'session', path: '/' }, '"s p"'],
    [{ what: 'cookie', name: 'other', path: '/' }, 'new'],
  ])('by %j is %s', (input, expected) => {
    expect(hashKeyOf(full, input, none)).toBe(expected === undefined ? undefined : hashOf(expected) >>> 1);
  });

  it('is the fallback where the first is missing', () => {
    const fallback: HashInput = { what: 'ip' };
    expect(hashKeyOf(requestOf(), { what: 'consumer' }, fallback)).toBe(hashOf('192.0.2.1') >>> 1);
    expect(hashKeyOf(full, { what: 'consumer' }, fallback)).toBe(hashOf('anna') >>> 1);
  });
});

describe('cookies and parameters', () => {
  it.each([
    ['a', 'a', ''],
    ['a=1&=2', '', '2'],
    ['%ZZ=1', '%ZZ', '1'],
    ['', 'a', undefined],
  ])('of %s named %s are %s', (query, name, expected) => {
    expect(parameterOf(query, name)).toBe(expected);
  });

  it('are not taken from names that only end alike', () => {
    expect(cookieOf(['cookie', 'xa=1; a', 'Cookie', ' a = 3'], 'a')).toBe('3');
    expect(cookieOf(['cookie', 'xa=1'], 'a')).toBeUndefined();
  });
});
