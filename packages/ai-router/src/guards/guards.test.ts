import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGuard, piiTypesOf } from './guardrails.ts';
import { piiFinder, piiTypes, type PiiType } from './pii/pii-finder.ts';
import { GUARD_TEXT_LENGTH_MAX } from './text-guard.ts';
import { masked } from './text-range.ts';

const found = (type: PiiType, text: string): string[] =>
  piiFinder(type)
    .rangesIn(text)
    .map(({ start, end }) => text.slice(start, end));

describe('personal data', () => {
  it.each<[PiiType, string, string[]]>([
    ['email', 'write to ann.o+x@mail.example.org, please', ['ann.o+x@mail.example.org']],
    ['email', 'jörg@müller.example or <b@c.io>', ['jörg@müller.example', 'b@c.io']],
    ['email', 'to .john@evil.example, or …=-john@x.example', ['john@evil.example', 'john@x.example']],
    ['email', 'a @ b, @handle, user@localhost, x@1.2', []],
    ['phone', 'call +49 30 901820 or +1 (212) 555-0123.', ['+49 30 901820', '+1 (212) 555-0123', '(212) 555-0123']],
    ['phone', '(212) 555-0123 212-555-0123 212.555.0123', ['(212) 555-0123', '212-555-0123', '212.555.0123']],
    ['phone', 'order 2125550123, 1 + 12345678 = x, 2026-11-23, +12', []],
    ['credit_card', 'pay with 4111 1111 1111 1111 today', ['4111 1111 1111 1111']],
    ['credit_card', '378282246310005 5555-5555-5555-4444', ['378282246310005', '5555-5555-5555-4444']],
    ['credit_card', '2345 4111 1111 1111 1111', ['4111 1111 1111 1111']],
    ['credit_card', '4111 1111 1111 1112, 4444444444444444, 1234567890123456, 0.4111111111111111', []],
    ['ssn', 'her number is 078-05-1120', ['078-05-1120']],
    ['ssn', '000-12-3456 666-12-3456 912-12-3456 123-00-4567 123-45-0000 123456789', []],
    [
      'iban',
      'DE89 3704 0044 0532 0130 00 and GB82WEST12345698765432',
      ['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432'],
    ],
    ['iban', 'DE89370400440532013000 USD 100, XX89370400440532013000', ['DE89370400440532013000']],
    ['credit_card', '3782 822463 10005 or 4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', ['3782 822463 10005']],
    ['credit_card', '2023 2024 2025 2026', []],
    ['phone', 'dial 0041446681800, please', ['0041446681800']],
    ['phone', '0012345 00123456789012345678 0044123456789.50', []],
    ['iban', 'gb82west12345698765432', ['gb82west12345698765432']],
    ['ip_address', 'a::b, face::b00c, Cafe::Bad, fe80::1, dead::beef:1', ['face::b00c', 'fe80::1', 'dead::beef:1']],
    ['iban', 'DE88 3704 0044 0532 0130 00', []],
    ['ip_address', 'from 192.0.2.7 and 2001:db8::1', ['192.0.2.7', '2001:db8::1']],
    ['ip_address', 'version 1.2.3.4.5, 256.1.1.1, at 12:30:45, a::b::c, std::vector', []],
  ])('%s in %j', (type, text, expected) => {
    expect(found(type, text)).toEqual(expected);
  });

  it('of every kind is looked for in any text in time that grows as the text does', () => {
    const units = ['1', ' 1', '4-', 'a', 'a.', '@', 'a@b.', '+1 ', ':', 'f:', 'DE89 ', '(2'];
    for (const unit of units) {
      const text = unit.repeat(40_000);
      for (const type of piiTypes) expect(() => piiFinder(type).rangesIn(text)).not.toThrow();
    }
  });

  it('is what a config names, or all of it', () => {
    expect(piiTypesOf(true, [])).toEqual(piiTypes);
    expect(piiTypesOf(true, ['email'])).toEqual(['email']);
    expect(piiTypesOf(false, ['email'])).toEqual([]);
  });
});

describe('a guard', () => {
  const block = compileGuard({ action: 'block', terms: ['Project X', 'ass', 'c++', '忍者'] });
  it.each([
    ['about project x.', true],
    ['about Project Xylophone', false],
    ['first class', false],
    ['ASS!', true],
    ['I like C++ most', true],
    ['c++11', true],
    ['ｐｒｏｊｅｃｔ　ｘ', true],
    ['pro\u200Bject x', true],
    ['和忍者的', true],
    ['忍者', true],
    ['', false],
  ])('finds terms as words: %j', (text, isFound) => {
    expect(block?.judge(text).action).toBe(isFound ? 'block' : 'pass');
  });

  it('respects case when told to', () => {
    const guard = compileGuard({ action: 'block', terms: ['Secret'], isCaseSensitive: true });
    expect([guard?.judge('secret').action, guard?.judge('Secret').action]).toEqual(['pass', 'block']);
  });

  it('masks every place once, also where places overlap, and says why without saying what', () => {
    const guard = compileGuard({ action: 'mask', terms: ['ann@example.org', 'ann'], pii: ['email'], mask: '***' });
    expect(guard?.judge('ann: ann@example.org, bob@example.org')).toEqual({
      action: 'mask',
      reasons: ['blocked_term', 'pii_email'],
      text: '***: ***, ***',
    });
  });

  it('keeps places right where folding changes the length of text', () => {
    const guard = compileGuard({ action: 'mask', terms: ['key'], mask: '-' });
    expect(guard?.judge('İİİ the KEY İ')).toMatchObject({ text: 'İİİ the - İ' });
  });

  it('blocks what is too long to be judged, as it is or in its plain form', () => {
    const guard = compileGuard({ action: 'mask', terms: ['x'] });
    for (const text of ['a'.repeat(GUARD_TEXT_LENGTH_MAX + 1), '\uFDFA'.repeat(GUARD_TEXT_LENGTH_MAX / 16)]) {
      expect(guard?.judge(text)).toEqual({ action: 'block', reasons: ['too_long'] });
    }
    expect(guard?.judge('a'.repeat(GUARD_TEXT_LENGTH_MAX))).toEqual({ action: 'pass' });
  });

  it('is none without rules', () => {
    expect(compileGuard({ action: 'block', terms: [], patterns: [], pii: [] })).toBeUndefined();
  });

  it('leaves nothing of what it masks, whatever stands around it', () => {
    const guard = compileGuard({ action: 'mask', terms: ['hidden'], mask: '#' });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('hidden'), fc.constantFrom(' ', '.', '\n', 'İ', '𝒳'))), (parts) => {
        const text = parts.join(' ');
        const verdict = guard?.judge(text);
        const left = verdict?.action === 'mask' ? verdict.text : text;
        expect(left).not.toContain('hidden');
      }),
    );
  });
});

it('masks ranges in any order', () => {
  const ranges = [
    { start: 4, end: 6 },
    { start: 0, end: 2 },
    { start: 1, end: 3 },
  ];
  expect(masked('abcdefgh', ranges, '*')).toBe('*d*gh');
});
