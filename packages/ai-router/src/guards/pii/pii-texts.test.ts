import { describe, expect, it } from 'vitest';
import texts from '../../testdata/pii-texts.json' with { type: 'json' };
import { masked } from '../text-range.ts';
import { piiFinder, piiTypes, type PiiType } from './pii-finder.ts';

/*
 * Rates of the detectors on texts that people labelled. What they get wrong is listed here by name, so that every change of a detector shows
 * what it costs. They look for forms: no detector of forms tells `1.2.3.4` the chapter from the address.
 */

const MARK = '\u0001';

function marked(type: PiiType, text: string): string {
  return masked(text, piiFinder(type).rangesIn(text), MARK);
}

function isPiiType(type: string): type is PiiType {
  return piiTypes.some((one) => one === type);
}

describe('personal data in labelled texts', () => {
  const personal = texts.personal.filter(({ type }) => isPiiType(type));

  it('is found as it is labelled, but for what is listed', () => {
    const missed = personal.filter(({ type, text, found }) => {
      const expected = found.reduce((left, one) => left.replace(one, MARK), text);
      return !isPiiType(type) || marked(type, text) !== expected;
    });
    expect(missed.map(({ text }) => text)).toEqual([
      // Three groups of digits between blanks are anything.
      '415 555 0123',
    ]);
    expect([personal.length, texts.personal.length]).toEqual([55, 55]);
  });

  it('is found where there is none in what is listed, and nowhere else', () => {
    const wrong = texts.harmless.filter((text) => piiTypes.some((type) => piiFinder(type).rangesIn(text).length > 0));
    expect(wrong).toEqual([
      'Chapter 1.2.3.4.',
      'Coordinates 52.520008, 13.404954 and +52.520008 +13.404954',
      'hex 0x4111111111111111 and 4111111111111111n',
    ]);
    expect(texts.harmless.length).toBe(50);
  });

  it.each(piiTypes)('has texts of %s', (type) => {
    expect(personal.filter((one) => one.type === type).length).toBeGreaterThanOrEqual(5);
  });
});
