import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { DN_TEMPLATE, distinguishedName, escapedValue } from './distinguished-name.ts';
import { ldapAuth } from './index.ts';
import { presentedName } from './presented-name.ts';

const good = { server_url: 'ldaps://ldap.example.com', user_dn_template: 'uid={username},dc=example' };

describe('the config', () => {
  it.each([
    ['ldap://ldap.example.com'],
    ['ldaps://ldap.example.com:6360/'],
    ['ldap://192.0.2.1'],
    ['ldaps://[2001:db8::1]:636'],
  ])('takes the server %s', (server_url) => {
    expect(ldapAuth.plugin.compile({ ...good, server_url }).ok).toBe(true);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no server', { server_url: undefined }, '/server_url'],
    ...[
      'ldap.example.com',
      'http://ldap.example.com',
      'ldapi:///run/slapd',
      'ldap://',
      'ldap://user:secret@ldap.example.com',
      'ldap://ldap.example.com/dc=example',
      'ldap://ldap.example.com/?uid?sub',
      'ldap://ldap.example.com#x',
      'ldap://ldap.example.com:0',
      'ldap://ldap.example.com:65536',
      'ldap://[::1',
      'ldap://[:::1]',
      'ldap://[fe80::1%eth0]',
      'ldap://%6cdap.example.com',
      'ldap://ldap.example.com ldap://b',
      'ldap://a\nb',
      'LDAP://ldap.example.com',
      `ldap://${'a'.repeat(300)}`,
    ].map((server_url): [string, Record<string, unknown>, string] => [
      `the server ${server_url.slice(0, 50)}`,
      { server_url },
      '/server_url',
    ]),
    ['ldaps without TLS', { use_ssl: false }, '/use_ssl'],
    ['TLS by a word', { use_ssl: 'yes' }, '/use_ssl'],
    ...[
      'dc=example',
      '{username}',
      'uid={username},',
      '{username}=x',
      'uid="{username}"',
      String.raw`uid=\2{username}`,
      'uid={username}\0',
      'uid={username};dc=x',
      `uid={username},cn=${'x'.repeat(1024)}`,
    ].map((user_dn_template): [string, Record<string, unknown>, string] => [
      `the template ${user_dn_template.slice(0, 50)}`,
      { user_dn_template },
      '/user_dn_template',
    ]),
    ['a claim that is no attribute', { upstream_headers: { 'X-A': 'a b' } }, '/upstream_headers'],
    ['a filter for a claim', { upstream_headers: { 'X-A': '*' } }, '/upstream_headers'],
    ['a password for a claim', { upstream_headers: { 'X-A': 'userPassword' } }, '/upstream_headers'],
    [
      'attributes without a template',
      { upstream_headers: { 'X-A': 'mail' }, user_dn_template: undefined },
      '/upstream_headers',
    ],
    [
      'a header that says who the consumer is',
      { upstream_headers: { 'X-Consumer-ID': 'dn' } },
      '/upstream_headers/X-Consumer-ID',
    ],
    ['no name of a header', { header_name: 'a b' }, '/header_name'],
  ])('refuses %s', (_name, change, pointer) => {
    const given = Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined));
    expect(ldapAuth.plugin.compile(given)).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });
});

describe('a server_url of another form', () => {
  it.each(['http://x', 'ldap://[1::2', 'ldap://[x]:1', 'ldap://[1]', 'ldap://a:70000'])('has one issue: %s', (url) => {
    expect(ldapAuth.plugin.compile({ ...good, server_url: url })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/server_url' }],
    });
  });
});

describe('names', () => {
  it.each([
    ['a,ou=x', String.raw`a\,ou\=x`],
    [String.raw`a\,b`, String.raw`a\\\,b`],
    ['#a#', String.raw`\#a#`],
    [' a ', String.raw`\ a\ `],
    [' ', String.raw`\ `],
    ['  ', String.raw`\ \ `],
    ['a"+;<>\0é', String.raw`a\"\+\;\<\>\00é`],
  ])('are escaped: %j', (name, escaped) => {
    expect(escapedValue(name)).toBe(escaped);
  });

  it('never leave their place in a template, whatever they hold', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (name) => {
        const dn = distinguishedName('uid={username},ou=people', name);
        // What is not escaped and separates: one equals sign for each type, and one comma.
        const separators = dn.replaceAll(/\\(?:[0-9A-Fa-f]{2}|.)/gsu, '').replaceAll(/[^,+;=<>"\0\\]/g, '');
        expect([DN_TEMPLATE.test(dn), separators]).toEqual([true, '=,=']);
      }),
    );
    expect(distinguishedName('uid={username},cn={username}', '$&{username}')).toBe('uid=$&{username},cn=$&{username}');
  });

  it.each([
    ['Jane', 'jane'],
    ['  jane   doe ', 'jane doe'],
    ['ＪＡＮＥ', 'jane'],
    ['JÜRGEN', 'jürgen'],
    ['ju\u0308rgen', 'jürgen'],
    ['jane\u00a0doe', 'jane doe'],
    ['', undefined],
    ['\u3000', undefined],
    ['a\0', undefined],
    ['a\u200bb', undefined],
    ['a\u2028b', undefined],
    ['a\ud800b', undefined],
    ['x'.repeat(257), undefined],
  ])('have one spelling: %j', (given, name) => {
    expect(presentedName(given)).toBe(name);
  });
});
