import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashVector, similarity } from '../../routing/semantic/hash-vector.ts';
import questions from '../testdata/questions.json' with { type: 'json' };
import { questionCore } from './question-parts.ts';
import { QuestionGuard } from './same-question.ts';

/*
 * Pairs of questions made by hand: those that ask the same, and those that do not though most of their words are alike. The table says how many of each an
 * answer would be given to; the README shows it.
 */

type Pair = readonly [string, string];
const [same, other] = [questions.same, questions.other] as unknown as [readonly Pair[], readonly Pair[]];

const near = ([asked, kept]: Pair, least: number): boolean =>
  similarity(hashVector(questionCore(asked), 256), hashVector(questionCore(kept), 256)) >= least;
const passes = ([asked, kept]: Pair, knowsMeaning = false): boolean =>
  new QuestionGuard(asked, knowsMeaning).isSame(kept) && new QuestionGuard(kept, knowsMeaning).isSame(asked);

describe('questions that are alike', () => {
  it.each([
    { least: 0.8, near: { same: 53, other: 77 }, given: { same: 37, other: 0 } },
    { least: 0.9, near: { same: 50, other: 58 }, given: { same: 37, other: 0 } },
    { least: 0.92, near: { same: 49, other: 56 }, given: { same: 37, other: 0 } },
    { least: 0.95, near: { same: 49, other: 55 }, given: { same: 37, other: 0 } },
  ])(
    'at $least: $near.other of 114 others would be answered wrongly; none is, and $given.same of 60 are hits',
    (row) => {
      const count = (pairs: readonly Pair[], test: (pair: Pair) => boolean): number => pairs.filter(test).length;
      const rates = (test: (pair: Pair) => boolean) => ({ same: count(same, test), other: count(other, test) });
      expect([same.length, other.length]).toEqual([60, 114]);
      expect(rates((pair) => near(pair, row.least))).toEqual(row.near);
      expect(rates((pair) => near(pair, row.least) && passes(pair))).toEqual(row.given);
    },
  );

  it('the guard alone lets no other question pass, whatever the similarity is', () => {
    expect(other.filter((pair) => passes(pair))).toEqual([]);
  });

  it('vectors that know what texts mean find synonyms, and still turn nothing round', () => {
    const turned = [
      ['Convert 100 dollars to euros', 'Convert 100 euros to dollars'],
      ['Flights from Paris to London', 'Flights from London to Paris'],
      ['List all users that are active', 'List all users that are not active'],
      ['How do I log in to my account?', 'How do I log out of my account?'],
      ['When was Einstein born?', 'Where was Einstein born?'],
      ['What is 2 + 2?', 'What is 2 * 2?'],
      ['Is milk good for me?', 'Is milk good for her?'],
    ] as const;
    expect(turned.filter((pair) => passes(pair, true))).toEqual([]);
    expect(passes(['How can I fix a flat tyre?', 'Fixing a punctured tire'], true)).toBe(true);
    expect(passes(['How can I fix a flat tyre?', 'Fixing a punctured tire'])).toBe(false);
  });
});

describe('one change of a question makes it another', () => {
  const question = fc.constantFrom(...same.flat());
  const word = fc.constantFrom(
    'not',
    'never',
    'without',
    'off',
    'zebra',
    '7',
    '-7',
    '+',
    '€',
    'yesterday',
    'was',
    'his',
    'least',
    'why',
  );

  it('a word, number or symbol more', () => {
    fc.assert(
      fc.property(question, word, fc.nat(), (text, more, at) => {
        const words = text.split(' ');
        const inserted = words.toSpliced(1 + (at % words.length), 0, more).join(' ');
        // Some have the word already: the group counts once, and it says nothing new.
        fc.pre(!text.toLowerCase().includes(more));
        expect(passes([text, inserted])).toBe(false);
      }),
    );
  });

  it('another digit', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(9999), (one, two) => {
        const pair = [`Show me the ${one} newest orders`, `Show me the ${two} newest orders`] as const;
        expect([passes(pair), passes(pair, true)]).toEqual([one === two, one === two]);
      }),
    );
  });

  it('nothing is like a text without words, but itself', () => {
    for (const text of ['', '?', '...', '👍', 'who are you', '   ']) {
      expect([passes([text, text]), passes([text, 'hello?']), passes([text, '!'])]).toEqual([true, false, false]);
    }
  });

  it('small words alone have to be the same ones', () => {
    expect(passes(['Hello, how are you?', 'how are you'])).toBe(true);
    expect([passes(['how are you', 'how is it']), passes(['who are you', 'who am I'])]).toEqual([false, false]);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, two) => {
        expect(passes([one, one])).toBe(true);
        expect(passes([one, two])).toBe(passes([two, one]));
      }),
    );
  });
});
