import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { claimReader, type Claims } from './claim-value.ts';
import { UPSTREAM_HEADERS_MAX, upstreamHeadersField } from './upstream-headers-field.ts';
import { compileUpstreamHeaders } from './upstream-headers.ts';

const parsed = (json: string) => JSON.parse(json) as Claims;

describe('a reader of a claim', () => {
  it.each([
    ['a name', '{"sub":"u1"}', 'sub', 'u1'],
    ['a field within a field', '{"address":{"country":"DE"}}', 'address.country', 'DE'],
    ['a name with a dot before a field within', '{"a.b":1,"a":{"b":2}}', 'a.b', 1],
    ['a field within a name with dots', '{"https://a.test/app":{"roles":["r"]}}', 'https://a.test/app.roles', ['r']],
    ['the longest name that leads somewhere', '{"a":{"b":{"c":1}},"a.b":{}}', 'a.b.c', 1],
    ['nothing', '{"sub":"u1"}', 'email', undefined],
    ['nothing within a text', '{"sub":"u1"}', 'sub.length', undefined],
    ['nothing within a list', '{"roles":["r"]}', 'roles.0', undefined],
    ['nothing that every object has', '{}', 'constructor', undefined],
    ['nothing that every object has, further in', '{"a":{}}', 'a.constructor.name', undefined],
    ['nothing under a prototype', '{}', '__proto__.toString', undefined],
    ['an own field of that name', '{"__proto__":{"x":1}}', '__proto__.x', 1],
    ['nothing behind dots alone', '{"":1}', '..', undefined],
  ])('finds %s', (_name, claims, path, expected) => {
    expect(claimReader(path)(parsed(claims))).toEqual(expected);
  });
});

describe('compiled upstream headers', () => {
  it.each<[string, unknown, string | undefined]>([
    ['text', 'u1', 'u1'],
    ['a number', 12.5, '12.5'],
    ['false', false, 'false'],
    ['a list of those', ['a', 1, true], 'a, 1, true'],
    ['text with a comma', 'Doe, Jane', 'Doe, Jane'],
    ['text with spaces around', ' u1 ', 'u1'],
    ['a list without the item that would arrive as two', ['user', 'x, admin'], 'user'],
    ['a list without its objects and lists', ['a', { b: 1 }, ['c'], null], 'a'],
    ['the longest value', 'a'.repeat(4096), 'a'.repeat(4096)],
    ['no longer value', 'a'.repeat(4097), undefined],
    ['no list that is longer together', Array<string>(100).fill('a'.repeat(100)), undefined],
    ['no object', { a: 1 }, undefined],
    ['no null', null, undefined],
    ['no empty text', '', undefined],
    ['no empty list', [], undefined],
    ['no list of nothing that can be sent', [{}], undefined],
    ['no line break', 'a\r\nx-admin: 1', undefined],
    ['no character beyond ASCII', 'Łukasz', undefined],
    ['no infinite number', Infinity, undefined],
  ])('send %s', (_name, claim, value) => {
    const edits = compileUpstreamHeaders({ 'X-Claim': 'claim' }).editsFor({ claim });
    expect(edits).toEqual([
      value === undefined ? { op: 'remove', name: 'X-Claim' } : { op: 'set', name: 'X-Claim', value },
    ]);
  });

  it("remove the client's headers of those names when nothing is known", () => {
    const { removals } = compileUpstreamHeaders({ 'X-A': 'a', 'X-B': 'b' }, ['Authorization']);
    expect(removals.map(({ op, name }) => `${op} ${name}`)).toEqual([
      'remove Authorization',
      'remove X-A',
      'remove X-B',
    ]);
  });

  it('may write a claim into the header that is hidden', () => {
    const headers = compileUpstreamHeaders({ authorization: 'sub' }, ['Authorization']);
    expect(headers.editsFor({ sub: 'u1' })).toEqual([{ op: 'set', name: 'authorization', value: 'u1' }]);
    expect(headers.editsFor({})).toEqual([{ op: 'remove', name: 'authorization' }]);
  });

  it('are constants without entries, and frozen with them', () => {
    const empty = compileUpstreamHeaders();
    expect(empty.editsFor({ sub: 'u1' })).toBe(empty.removals);
    const edits = compileUpstreamHeaders({ 'X-A': 'a' }).editsFor({ a: 1 });
    expect([edits, ...edits].every(Object.isFrozen)).toBe(true);
  });
});

describe('the field upstream_headers', () => {
  const messagesOf = (given: unknown) =>
    (v.safeParse(upstreamHeadersField('the token'), given).issues ?? []).map(({ message }) => message);
  const many = Object.fromEntries(Array.from({ length: UPSTREAM_HEADERS_MAX + 1 }, (_, index) => [`X-${index}`, 'a']));

  it('takes header names with paths of claims', () => {
    expect(messagesOf({ 'X-User': 'sub', 'X-Country': 'address.country', Authorization: 'act' })).toEqual([]);
    expect(messagesOf({ 'X-Deep': 'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a' })).toEqual([]);
    expect(messagesOf({})).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a name that is none', { 'X User': 'sub' }, 'must be a header name'],
    ['a claim that is no text', { 'X-User': 1 }, 'must be text'],
    ['an empty claim', { 'X-User': '' }, 'must have at least 1 characters'],
    [
      'a deep claim',
      { 'X-User': 'a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a' },
      'must have at most 16 parts with dots between them',
    ],
    ['a long claim', { 'X-User': 'a'.repeat(257) }, 'must have at most 256 characters'],
    ['framing', { 'Content-Length': 'sub' }, 'names a header that the gateway itself sets'],
    ['a host', { host: 'sub' }, 'names a header that the gateway itself sets'],
    ['an identity', { 'X-Consumer-ID': 'sub' }, 'names a header in which the gateway itself says who the consumer is'],
    [
      'an identity, otherwise',
      { X_Consumer_Groups: 'g' },
      'names a header in which the gateway itself says who the consumer is',
    ],
    [
      'a credential',
      { 'x-credential-identifier': 'jti' },
      'names a header in which the gateway itself says who the consumer is',
    ],
    [
      'a name twice',
      { 'X-User': 'sub', 'x-user': 'email' },
      'names a header twice: names match without regard to case',
    ],
    ['too many', many, `must have at most ${UPSTREAM_HEADERS_MAX} entries`],
  ])('refuses %s', (_name, given, message) => {
    expect(messagesOf(given)).toContain(message);
  });
});
