import {
  alternativeNames,
  commonName,
  distinguishedName,
  extension,
  generalName as name,
  makeAuthority,
  makeCertificate,
  nameConstraints,
} from '@portcullis/testkit/certificates';
import { context, sequence, utf8 } from '@portcullis/testkit/der';
import { describe, expect, it } from 'vitest';
import { readContent, type CertificateContent } from './certificate-content.ts';
import { readCertificate } from './certificate.ts';
import { isWithinConstraints } from './name-constraints.ts';

function contentOf({ der }: { readonly der: Uint8Array }): CertificateContent {
  const certificate = readCertificate(der);
  const content = certificate && readContent(certificate);
  if (content === undefined) throw new Error('the certificate cannot be read');
  return content;
}

/** Whether a certificate with these names may stand below an authority with this extension. */
function isWithin(constraints: Uint8Array, names: readonly Uint8Array[], subject: Uint8Array = NOBODY): boolean {
  const extensions = names.length === 0 ? [] : [alternativeNames(...names)];
  const authority = contentOf(makeAuthority({ extensions: [constraints] }));
  return isWithinConstraints(contentOf(makeCertificate({ subject, extensions })), authority);
}

const NOBODY = distinguishedName();
const unit = (...texts: readonly string[]) =>
  distinguishedName(...texts.map((text) => [['2.5.4.11', utf8(text)] as const]));
const mailbox = (text: string) => distinguishedName([['1.2.840.113549.1.9.1', utf8(text)]]);
const TEN = [10, 0, 0, 0, 255, 0, 0, 0] as const;
const V6 = Array.from({ length: 32 }, (_byte, at) => (at < 16 ? (at === 0 ? 0x20 : 0) : at === 16 ? 255 : 0));

/** A tree, a name, and whether the name lies in it. `undefined`: nobody can say. */
type Row = readonly [string, Uint8Array, Uint8Array, boolean | undefined];

const ROWS: readonly Row[] = [
  ['a host itself', name.dns('acme.test'), name.dns('acme.test'), true],
  ['a host below', name.dns('acme.test'), name.dns('a.b.acme.test'), true],
  ['a host below a tree that is written with a dot', name.dns('.acme.test'), name.dns('a.acme.test'), true],
  ['a host in another case', name.dns('Acme.test'), name.dns('a.aCME.test'), true],
  ['a host that only ends like it', name.dns('acme.test'), name.dns('notacme.test'), false],
  ['a host above', name.dns('a.acme.test'), name.dns('acme.test'), false],
  ['any host', name.dns(''), name.dns('acme.test'), true],
  ['a mailbox itself', name.email('a@acme.test'), name.email('a@acme.test'), true],
  ['another mailbox of the host', name.email('a@acme.test'), name.email('b@acme.test'), false],
  ['a mailbox of the host', name.email('acme.test'), name.email('b@acme.test'), true],
  ['a mailbox of a host below', name.email('acme.test'), name.email('b@x.acme.test'), false],
  ['a mailbox below a tree with a dot', name.email('.acme.test'), name.email('b@x.acme.test'), true],
  ['a mailbox of the host itself with a dot', name.email('.acme.test'), name.email('b@acme.test'), false],
  ['a mailbox with the host before another', name.email('acme.test'), name.email('"a@acme.test"@b.test'), false],
  ['a mailbox with another before the host', name.email('acme.test'), name.email('"a@b.test"@acme.test'), true],
  ['any mailbox', name.email(''), name.email('b@acme.test'), true],
  ['a mailbox that is none', name.email('acme.test'), name.email('acme.test'), undefined],
  ['a URI of the host', name.uri('acme.test'), name.uri('https://u@acme.test:8443/x'), true],
  ['a URI of a host below', name.uri('acme.test'), name.uri('https://x.acme.test/'), false],
  ['a URI below a tree with a dot', name.uri('.acme.test'), name.uri('https://x.acme.test/'), true],
  ['a URI whose host begins like it', name.uri('acme.test'), name.uri('https://acme.test.evil.test/'), false],
  ['a URI with the host as user', name.uri('acme.test'), name.uri('https://acme.test@evil.test/'), false],
  ['any URI', name.uri(''), name.uri('https://acme.test/'), true],
  ['a URI without a host', name.uri('acme.test'), name.uri('urn:acme.test'), undefined],
  ['a URI with an IPv4 address', name.uri('acme.test'), name.uri('https://192.0.2.1/'), undefined],
  ['a URI with an IPv6 address', name.uri('acme.test'), name.uri('https://[::1]/'), undefined],
  ['an address of the network', name.ip(...TEN), name.ip(10, 1, 2, 3), true],
  ['an address of another network', name.ip(...TEN), name.ip(11, 1, 2, 3), false],
  ['an address of the other family', name.ip(...TEN), name.ip(...V6.slice(0, 16)), false],
  ['an IPv6 address of the network', name.ip(...V6), name.ip(...V6.slice(0, 16)), true],
  ['an address, by a network without a mask', name.ip(10, 0, 0, 0), name.ip(10, 0, 0, 0), undefined],
  ['an address, by a network of an odd length', name.ip(10, 0, 0, 255, 0, 0), name.ip(10, 0, 0, 1), undefined],
  ['a name in the directory', name.directory(unit('a')), name.directory(unit('a', 'b')), true],
  ['a name that begins in another way', name.directory(unit('b')), name.directory(unit('a', 'b')), false],
  ['a name above', name.directory(unit('a', 'b')), name.directory(unit('a')), false],
  ['a kind of name that is not compared', name.other('1.2.3', 'a'), name.other('1.2.3', 'a'), undefined],
];

describe('name constraints', () => {
  it.each(ROWS)('permit or exclude %s', (_name, tree, presented, expected) => {
    expect(isWithin(nameConstraints({ permitted: [tree] }), [presented])).toBe(expected === true);
    expect(isWithin(nameConstraints({ excluded: [tree] }), [presented])).toBe(expected === false);
  });

  it('hold for every name of a kind; one tree that permits it is enough, one that excludes it too much', () => {
    const [a, b, c] = [name.dns('a.test'), name.dns('b.test'), name.dns('c.test')];
    expect(isWithin(nameConstraints({ permitted: [a, b] }), [a, b])).toBe(true);
    expect(isWithin(nameConstraints({ permitted: [a, b] }), [a, c])).toBe(false);
    expect(isWithin(nameConstraints({ excluded: [a, b] }), [c, b])).toBe(false);
    expect(isWithin(nameConstraints({ permitted: [a], excluded: [name.dns('x.a.test')] }), [a])).toBe(true);
    expect(isWithin(nameConstraints({ permitted: [a], excluded: [a] }), [a])).toBe(false);
    expect(isWithin(nameConstraints({ permitted: [a] }), [name.uri('urn:b')])).toBe(true);
    expect(isWithin(nameConstraints({ permitted: [a] }), [])).toBe(true);
  });

  it('hold for the subject, and for the mailboxes in it', () => {
    const inDirectory = nameConstraints({ permitted: [name.directory(unit('a'))] });
    expect([isWithin(inDirectory, [], unit('a', 'b')), isWithin(inDirectory, [], commonName('a'))]).toEqual([
      true,
      false,
    ]);
    expect(isWithin(inDirectory, [])).toBe(true);
    const ofHost = nameConstraints({ permitted: [name.email('acme.test')] });
    expect([isWithin(ofHost, [], mailbox('a@acme.test')), isWithin(ofHost, [], mailbox('a@b.test'))]).toEqual([
      ...[true, false],
    ]);
  });

  it('with distances, and those that cannot be read, permit nothing', () => {
    const distant = (tag: number) =>
      extension(
        '2.5.29.30',
        true,
        sequence(context(0, true, sequence(name.dns('a.test'), context(tag, false, Buffer.of(1))))),
      );
    const broken = extension('2.5.29.30', true, sequence(context(5, true, utf8('x'))));
    for (const constraints of [distant(0), distant(1), broken])
      expect(isWithin(constraints, [name.dns('a.test')])).toBe(false);
  });
});
