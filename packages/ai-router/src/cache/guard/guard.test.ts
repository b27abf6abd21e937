import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashVector, similarity } from '../../routing/semantic/hash-vector.ts';
import questions from '../testdata/questions.json' with { type: 'json' };
import { sameForm } from './same-form.ts';
import { QuestionGuard } from './same-question.ts';

/*
 * Pairs of questions: those that ask the same, and those that do not though most of their words are alike. The first set is of who made the first guard.
 * `outside` is of somebody else, who had read that guard and looked for what it lets pass; `unseen` was made before the guard of today, by kinds (units,
 * dates, negation, who does what, scope, tense, languages, code, capitals). The table says how many of each an answer would be given to; the README shows it.
 */

type Pair = readonly [string, string];
interface Pairs {
  readonly same: readonly Pair[];
  readonly other: readonly Pair[];
}
const all = questions as unknown as Pairs & { readonly outside: Pairs; readonly unseen: Pairs };
const sets = { first: all, outside: all.outside, unseen: all.unseen } as const;
const { same } = all;
const others = Object.values(sets).flatMap(({ other }) => other);

const near = ([asked, kept]: Pair, least: number): boolean =>
  similarity(hashVector(sameForm(asked), 256), hashVector(sameForm(kept), 256)) >= least;
const passes = ([asked, kept]: Pair, knowsMeaning = false): boolean =>
  new QuestionGuard(asked, knowsMeaning).isSame(kept) && new QuestionGuard(kept, knowsMeaning).isSame(asked);

describe('questions that are alike', () => {
  it.each([
    { set: 'first', of: [60, 114], near: [42, 55], given: [16, 0] },
    { set: 'outside', of: [40, 40], near: [17, 30], given: [7, 0] },
    { set: 'unseen', of: [20, 80], near: [18, 45], given: [10, 0] },
  ] as const)('$set: of $of that ask the same and that do not, $near are near at 0.92 and $given are given', (row) => {
    const { same: alike, other } = sets[row.set];
    const count = (test: (pair: Pair) => boolean) => [alike, other].map((pairs) => pairs.filter(test).length);
    expect([alike.length, other.length]).toEqual(row.of);
    expect(count((pair) => near(pair, 0.92))).toEqual(row.near);
    expect(count((pair) => near(pair, 0.92) && passes(pair))).toEqual(row.given);
  });

  it('the guard alone lets no other question pass, whatever the similarity is', () => {
    expect(others.filter((pair) => passes(pair))).toEqual([]);
  });

  it.each([
    ['courtesy', 'How do I boil an egg?', 'Hi, could you please tell me how do I boil an egg? Thanks!'],
    ['courtesy at the end', 'Is it late?', 'is it late, please?'],
    ['a capital at the beginning, a mark at the end', 'What is a black hole', 'what  is a black hole?'],
    ['a contraction', 'Why does not it rain', "Why doesn't it rain?"],
    ['a contraction before a name', 'Who is Ada Lovelace?', "Who's Ada Lovelace"],
    ['telling', 'What is the capital of Peru?', 'Please tell me what the capital of Peru is.'],
    ['there', 'How many planets are there in the solar system?', 'How many planets are in the solar system?'],
    ['what is done once', 'How do I reset my password?', 'how to reset my password'],
  ])('%s changes nothing', (_, one, two) => {
    expect(passes([one, two])).toBe(true);
  });

  it.each([
    ["What's changed?", 'What is changed?'],
    ['Can you speak French?', 'Speak French'],
    ['How do I look?', 'How can I look?'],
    ['Was great fun.', 'Was great fun?'],
    ["How do you say 'thank you'?", "How do you say 'thanks'?"],
    ['Please Please Me', 'Please Me'],
    ['What is the matter?', 'What is matter?'],
    ['What is x²?', 'What is x2?'],
    ['Whom should I please', 'Whom should I'],
  ])('%s is not %s', (one, two) => {
    expect(passes([one, two])).toBe(false);
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
      ['Where do you live?', 'Where do I live?'],
      ['What is the capital of Slovakia?', 'What is the capital of Slovenia?'],
      ['How do I enable logging?', 'How do I disable logging?'],
      ['Who is the CEO of Apple?', 'Who is the CEO of Google?'],
      [
        'The price of the small desk? Be short, be kind, cite pages.',
        'The price of the large chair? Be short, be kind, cite pages.',
      ],
      ['Do all dogs bite?', 'Do any dogs bite?'],
      ['Did Germany invade Poland?', 'Did Poland invade Germany?'],
      ['What does curl -o do?', 'What does curl -O do?'],
      ['What does i-- do in C?', 'What does i do in C?'],
      ['What does f(x) mean?', 'What does f, x mean?'],
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
