import { alternativeNames, distinguishedName, generalName as name } from '@portcullis/testkit/certificates';
import { bmp, der, printable, utf8 } from '@portcullis/testkit/der';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { byTypeAndValue, type Attribute } from './distinguished-name.ts';
import { benchWith, clientBy, present, root, statusOf } from './made-chains.test-support.ts';
import { parseName, writeName } from './name-text.ts';

const [C, O, OU, CN] = ['2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.3'];

const statusWith = async (config: object, subject: Uint8Array, ...extensions: readonly Uint8Array[]) =>
  statusOf(await present(benchWith(config), [clientBy(root, { subject, extensions })]));

describe('the text of a name', () => {
  it.each([
    ['CN=a', [[[CN, 'a']]]],
    ['CN=a,O=b', [[[O, 'b']], [[CN, 'a']]]],
    [' cn = a , o=b ', [[[O, 'b']], [[CN, 'a']]]],
    [
      'OU=y+CN=x,O=b',
      [
        [[O, 'b']],
        [
          [OU, 'y'],
          [CN, 'x'],
        ],
      ],
    ],
    [String.raw`CN=a\, b\+c`, [[[CN, 'a, b+c']]]],
    [String.raw`CN=a\2C\20b`, [[[CN, 'a, b']]]],
    [String.raw`CN=\C3\A4`, [[[CN, 'ä']]]],
    ['CN=ä', [[[CN, 'ä']]]],
    [String.raw`CN=\ a\ `, [[[CN, ' a ']]]],
    [String.raw`CN=a\   , O=b`, [[[O, 'b']], [[CN, 'a ']]]],
    [String.raw`CN=a\\  `, [[[CN, 'a\\']]]],
    [String.raw`CN=a\\\  `, [[[CN, 'a\\ ']]]],
    ['CN=a=b', [[[CN, 'a=b']]]],
    ['2.5.4.3=a', [[[CN, 'a']]]],
    ['1.2.3.4=#0C0161', [[['1.2.3.4', '#0c0161']]]],
    ['E=a@b.test', [[['1.2.840.113549.1.9.1', 'a@b.test']]]],
  ])('%s is read', (text, parsed) => {
    expect(parseName(text)).toEqual(parsed);
  });

  it.each([
    '',
    'a',
    'CN=',
    'CN=a,',
    ',CN=a',
    'CN=a,,O=b',
    'CN=a+',
    'XX=a',
    '1=a',
    '2.05.4=a',
    '/CN=a/O=b',
    'CN=#zz',
    'CN=#1',
    'CN="a"',
    'CN=a;O=b',
    'CN=a<b',
    String.raw`CN=a\x`,
    'CN=a\\',
    String.raw`CN=\C3`,
    'constructor=a',
  ])('%j is refused', (text) => {
    expect(parseName(text)).toBeUndefined();
  });

  it('is read in linear time, whatever stands in it: these would take hours otherwise', () => {
    for (const [unit, end] of [
      [' ', 'b\\'],
      [' ', 'b'],
      ['\\', ' '],
      ['\\ ', '\\'],
      ['=', ''],
      [',', ''],
      ['+', ''],
      [',CN=', 'a '],
      ['\\C3', ''],
    ] as const)
      expect(parseName(`CN=a${unit.repeat(20_000)}${end}`)?.length).not.toBe(0);
  });

  it('that is written of a name is read as that name, whatever is in it', () => {
    const value = anyText({ minLength: 1, maxLength: 12 }).filter((text) => !text.startsWith('#'));
    const attribute = fc.tuple(fc.constantFrom(C, O, OU, CN, '1.2.3.4'), value) as fc.Arbitrary<Attribute>;
    const relative = fc.array(attribute, { minLength: 1, maxLength: 3 }).map((list) => list.toSorted(byTypeAndValue));
    fc.assert(
      fc.property(fc.array(relative, { minLength: 1, maxLength: 4 }), (given) => {
        const text = writeName(given);
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(parseName(text)).toEqual(given);
      }),
    );
  });
});

describe('allowed_subjects', () => {
  const subject = distinguishedName(
    [[C, printable('DE')]],
    [[O, utf8('Acme, Inc.')]],
    [
      [OU, utf8('x')],
      [CN, utf8('Müller')],
    ],
  );

  it.each([
    ['as written by OpenSSL', 200, String.raw`OU=x+CN=M\C3\BCller,O=Acme\, Inc.,C=DE`],
    ['in another spelling', 200, String.raw`cn=Müller + ou=x, O=Acme\2C Inc., C=DE`],
    ['in another order', 403, String.raw`C=DE,O=Acme\, Inc.,OU=x+CN=Müller`],
    ['in another case', 403, String.raw`OU=x+CN=müller,O=Acme\, Inc.,C=DE`],
    ['with a part less', 403, String.raw`CN=Müller,O=Acme\, Inc.,C=DE`],
    ['with one part made two', 403, String.raw`OU=x,CN=Müller,O=Acme\, Inc.,C=DE`],
    ['with two parts made one', 403, String.raw`OU=x+CN=Müller,O=Acme\, Inc.+C=DE`],
  ])('takes the same name and no other: %s (%i)', async (_name, status, text) => {
    expect(await statusWith({ allowed_subjects: ['CN=nobody', text] }, subject)).toBe(status);
  });

  it('does not take a value for the text of a longer name', async () => {
    const forged = distinguishedName([[CN, utf8('admin,O=Acme')]]);
    expect(await statusWith({ allowed_subjects: ['CN=admin,O=Acme'] }, forged)).toBe(403);
  });
});

describe('allowed_common_names', () => {
  it.each<[string, number, string, Uint8Array]>([
    ['UTF-8', 200, 'Müller', distinguishedName([[CN, utf8('Müller')]])],
    ['printable text', 200, 'admin', distinguishedName([[CN, printable('admin')]])],
    ['two bytes a character', 200, 'Müller', distinguishedName([[CN, bmp('Müller')]])],
    [
      'a part of a relative name',
      200,
      'admin',
      distinguishedName([
        [OU, utf8('x')],
        [CN, utf8('admin')],
      ]),
    ],
    ['another case', 403, 'admin', distinguishedName([[CN, utf8('Admin')]])],
    ['a NUL at its end', 403, 'admin', distinguishedName([[CN, utf8('admin\0.evil.test')]])],
    ['a space at its end', 403, 'admin', distinguishedName([[CN, utf8('admin ')]])],
    [
      'bytes that are no UTF-8, which nobody can read',
      401,
      'adm\ufffdn',
      distinguishedName([[CN, der(0x0c, Buffer.from('adm\xfcn', 'latin1'))]]),
    ],
    ['two common names', 403, 'admin', distinguishedName([[CN, utf8('admin')]], [[CN, utf8('client')]])],
    [
      'two common names in one relative name',
      403,
      'admin',
      distinguishedName([
        [CN, utf8('admin')],
        [CN, utf8('client')],
      ]),
    ],
    ['none', 403, 'admin', distinguishedName([[O, utf8('admin')]])],
    [
      'many parts',
      200,
      'admin',
      distinguishedName(...Array.from({ length: 50 }, (_part, at) => [[OU, utf8(`${at}`)]] as [string, Uint8Array][]), [
        [CN, utf8('admin')],
      ]),
    ],
  ])('compares the one common name exactly: %s (%i)', async (_name, status, allowed, subject) => {
    expect(await statusWith({ allowed_common_names: ['nobody', allowed] }, subject)).toBe(status);
  });
});

describe('required_sans', () => {
  const names = alternativeNames(
    name.dns('a.acme.test'),
    name.dns('*.wild.test'),
    name.uri('spiffe://acme/b'),
    name.email('C@acme.test'),
    name.ip(192, 0, 2, 1),
    name.ip(0x20, 1, 0xd, 0xb8, ...Array.from({ length: 11 }, () => 0), 1),
    name.other('1.2.3', 'other.test'),
  );

  it.each<[number, readonly string[]]>([
    [200, ['DNS:a.acme.test']],
    [200, ['A.ACME.test']],
    [200, ['dns:*.wild.test']],
    [403, ['DNS:x.wild.test']],
    [200, ['URI:spiffe://acme/b', 'spiffe://acme/b']],
    [403, ['URI:spiffe://acme/B']],
    [403, ['DNS:spiffe://acme/b']],
    [200, ['email:C@acme.test']],
    [403, ['c@acme.test']],
    [200, ['IP:192.0.2.1', '192.0.2.1']],
    [403, ['DNS:192.0.2.1']],
    [200, ['IP:2001:DB8:0:0::1', '2001:db8::1']],
    [403, ['other.test']],
    [403, ['DNS:a.acme.test', 'DNS:missing.test']],
    [200, ['DNS:a.acme.test', 'URI:spiffe://acme/b']],
  ])('gives %i for %j', async (status, required_sans) => {
    expect(await statusWith({ required_sans }, distinguishedName([[CN, utf8('x')]]), names)).toBe(status);
  });

  it('holds together with the other constraints', async () => {
    const subject = distinguishedName([[CN, utf8('x')]]);
    const required_sans = ['a.acme.test'];
    expect(await statusWith({ required_sans, allowed_common_names: ['x'] }, subject, names)).toBe(200);
    expect(await statusWith({ required_sans, allowed_common_names: ['y'] }, subject, names)).toBe(403);
  });
});
