import {
  alternativeNames,
  distinguishedName,
  generalName as name,
  keyUsage,
  nameConstraints,
  makeAuthority,
} from '@portcullis/testkit/certificates';
import { der, utf8 } from '@portcullis/testkit/der';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCertificate } from './certificate.ts';
import { readContent } from './certificate-content.ts';
import { claimsOf } from './certificate-claims.ts';
import { brokenChainRule } from './chain-rules.ts';
import { readForwardedCertificate } from './forwarded-certificate.ts';
import { benchWith, clientBy, present, root, statusOf } from './made-chains.test-support.ts';

const real = clientBy(root, {
  subject: distinguishedName([['2.5.4.6', utf8('DE')]], [['2.5.4.3', utf8('client')]]),
  extensions: [keyUsage(0), alternativeNames(name.dns('a.test'), name.uri('spiffe://a/b'), name.ip(192, 0, 2, 1))],
}).der;
const constrained = makeAuthority({
  extensions: [nameConstraints({ permitted: [name.dns('a.test'), name.ip(1, 2, 3, 4, 255, 0, 0, 0)] })],
}).der;

/** A certificate in which some bytes are others, some are left out, or some are added. */
const mutated = (from: Uint8Array) =>
  fc
    .array(fc.tuple(fc.nat(from.length - 1), fc.nat(255), fc.constantFrom('set', 'remove', 'insert', 'length')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => {
      const bytes = [...from];
      for (const [at, byte, change] of changes) {
        if (change === 'set' || change === 'length') bytes[at] = change === 'set' ? byte : byte | 0x80;
        else bytes.splice(at, change === 'remove' ? 1 : 0, ...(change === 'remove' ? [] : [byte]));
      }
      return Uint8Array.from(bytes);
    });

describe('bytes that nobody meant well', () => {
  it('are read or refused, never thrown over: mutations of real certificates', async () => {
    const property = fc.asyncProperty(fc.oneof(mutated(real), mutated(constrained)), async (bytes) => {
      const certificate = readCertificate(bytes);
      const content = certificate && readContent(certificate);
      if (content === undefined) return;
      claimsOf(content);
      // As if its signature were good: what the rules and the library's engine make of it.
      expect(await brokenChainRule([content, content], 0)).toMatch(/^[a-z_]+$/);
    });
    await fc.assert(property, { numRuns: 400 });
  });

  it('pass as nobody: whatever is changed in a certificate, its signature is none', async () => {
    const bench = benchWith();
    const property = fc.asyncProperty(mutated(real), async (bytes) => {
      if (Buffer.from(bytes).equals(real)) return;
      expect(statusOf(await present(bench, [{ der: bytes }]))).toBe(401);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('are read or refused in headers of any form', () => {
    const pieces = fc.constantFrom(
      '-----BEGIN CERTIFICATE-----',
      '-----END CERTIFICATE-----',
      'Cert="',
      'Chain=',
      '"',
      ';',
      ',',
      ':',
      '%',
      '%41',
      '\\',
      ' ',
      'AAAA',
      '=',
      'é',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.string(), (value, chain) => {
        const read = readForwardedCertificate(value.join(''), chain);
        expect(read === undefined || read.every((bytes) => bytes.length > 0)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [
      'nested deeply',
      Array.from({ length: 10_000 }).reduce<Uint8Array>(
        (inner) => Buffer.concat([Buffer.of(0x30, 0x80), inner]),
        Buffer.of(5, 0),
      ),
    ],
    ['of a length that nobody has', Buffer.from('3084ffffffff0000', 'hex')],
    ['of no end', Buffer.concat([Buffer.of(0x30, 0x80), Buffer.alloc(10_000, 0x30)])],
    ['empty', Buffer.alloc(0)],
    ['that are no certificate', der(0x30, utf8('hello'))],
    ['that are a certificate in PEM', Buffer.from(root.pem)],
  ])('are refused %s', (_name, bytes) => {
    expect(readCertificate(bytes)).toBeUndefined();
  });

  it('are searched for values in no more than linear time, as long as a header may be', () => {
    for (const unit of ['Cert="', 'a=\\"', 'A=;', ',', '-----BEGIN CERTIFICATE-----', ':', '%'])
      expect(readForwardedCertificate(unit.repeat(131_072 / unit.length))).toBeUndefined();
  });
});
