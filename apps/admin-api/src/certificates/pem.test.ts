import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPem } from './pem.ts';
import { pemOf } from './testdata.test-support.ts';

const block = pemOf('THING', Buffer.from('some bytes'));
const labelsOf = (text: string): unknown => {
  const reading = readPem(text);
  return reading.ok ? reading.blocks.map(({ label }) => label) : reading.message;
};

describe('a PEM text', () => {
  it('gives back every label and byte', () => {
    const blocks = fc.array(
      fc.tuple(fc.stringMatching(/^[A-Z][A-Z0-9]{0,8}( [A-Z0-9]{1,8}){0,2}$/), fc.uint8Array({ minLength: 1 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(blocks, fc.constantFrom('\n', '\r\n', '\r'), (given, lineEnd) => {
        const text = given
          .map(([label, der]) => pemOf(label, der))
          .join('')
          .replaceAll('\n', lineEnd);
        const reading = readPem(text);
        expect(reading.ok && reading.blocks.map(({ label, der }) => [label, new Uint8Array(der)])).toEqual(given);
      }),
    );
  });

  it('may explain its blocks before them, and end in white space', () => {
    expect(labelsOf(`subject=/CN=a\n${block}\nBag Attributes\n    x: y\n${block} \n\n\t`)).toEqual(['THING', 'THING']);
    expect(labelsOf(block.replaceAll(/^/gm, '  '))).toEqual(['THING']);
  });

  it.each([
    ['', 'holds no PEM block'],
    ['nothing of the kind', 'holds no PEM block'],
    [`${block}trailing`, 'has text after its last PEM block'],
    [block.replace(/-----END.*\n/, ''), 'has a PEM block that is not whole'],
    [block.replace(/-----BEGIN.*\n/, ''), 'has a PEM block that is not whole'],
    [block.replace('END THING', 'END OTHER'), 'has a PEM block that is not whole'],
    [block.replace('THING', 'thing'), 'has a PEM block that is not whole'],
    [block.replaceAll('\n', ''), 'has a PEM block that is not whole'],
    [block.replaceAll('\n', String.raw`\n`), 'has a PEM block that is not whole'],
    [`${block}${block.slice(0, 30)}`, 'has a PEM block that is not whole'],
    ['-----BEGIN A-----\n-----BEGIN A-----\nAA==\n-----END A-----\n', 'has a PEM block that is not whole'],
    ['-----BEGIN A-----\n-----END A-----\n', 'has a A block whose content is not base64'],
    ['-----BEGIN A-----\nAA=\n-----END A-----\n', 'has a A block whose content is not base64'],
    ['-----BEGIN A-----\nA*==\n-----END A-----\n', 'has a A block whose content is not base64'],
  ])('%j is refused', (text, message) => {
    expect(readPem(text)).toEqual({ ok: false, message });
  });

  it('says whether its content is encrypted', () => {
    const encryptedOf = (text: string): unknown => {
      const reading = readPem(text);
      return reading.ok && reading.blocks[0]?.isEncrypted;
    };
    expect(encryptedOf(block)).toBe(false);
    expect(encryptedOf(pemOf('ENCRYPTED PRIVATE KEY', Buffer.from('x')))).toBe(true);
    const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n';
    expect(encryptedOf(pemOf('RSA PRIVATE KEY', Buffer.from('x')).replace('KEY-----\n', `KEY-----\n${headers}`))).toBe(
      true,
    );
  });

  it('of hostile make is read in time that grows with its length', () => {
    const text = '-----BEGIN A-----\n'.repeat(3600);
    const started = performance.now();
    expect(readPem(text).ok).toBe(false);
    expect(readPem(`-----BEGIN A-----\n${':\n'.repeat(32_000)}`).ok).toBe(false);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
