import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelsOf, routeOf } from '../routing.test-support.ts';
import { TargetOrder } from '../target-order.ts';
import { hashVector, similarity, TEXT_LENGTH_MAX } from './hash-vector.ts';
import { HINT_VECTORS_MAX, HintIndex } from './hint-index.ts';
import { stemOf } from './stem.ts';

const hints = {
  code: ['write or debug code in python, typescript or rust', 'fix a bug in a function', 'sql query'],
  translate: ['translate a text into french, german or spanish', 'what is the word for this in italian'],
  math: ['solve an equation', 'compute an integral or derivative', 'prove a theorem in algebra'],
  poetry: ['write a poem, song or short story', 'rhyming verses'],
  law: ['review a contract', 'legal liability and lawsuits', 'terms of service and privacy law'],
  health: ['symptoms of an illness', 'medicine dosage and side effects', 'diet and exercise'],
  travel: ['plan a trip or itinerary', 'flights and hotels', 'sights of a city'],
  finance: ['stocks, bonds and investments', 'mortgage interest and taxes', 'company balance sheet'],
} as const;

const labelled: readonly (readonly [keyof typeof hints, string])[] = [
  ['code', 'Why does my Python function raise a KeyError?'],
  ['code', 'debugging TypeScript generics'],
  ['code', 'Rewrite this SQL to use one query instead of two'],
  ['code', 'There is a bug in my sorting code, please fix it'],
  ['translate', 'Translate "good morning" to German'],
  ['translate', 'How do I say thank you in French?'],
  ['translate', 'I need a translation of this letter into Spanish'],
  ['math', 'Solve the equation x^2 - 4 = 0'],
  ['math', 'Computing the derivative of sin(x)'],
  ['math', 'Show me a proof of the theorem of Pythagoras'],
  ['poetry', 'Write me a poem about autumn'],
  ['poetry', 'a short story on dragons, with verses'],
  ['law', 'Is this contract clause enforceable?'],
  ['law', 'Who has liability when a tenant is hurt?'],
  ['law', 'Explain privacy law to me'],
  ['health', 'What are symptoms of the flu?'],
  ['health', 'side effects of ibuprofen'],
  ['health', 'Which exercises help my back?'],
  ['travel', 'Plan a weekend trip to Lisbon'],
  ['travel', 'cheap hotels near the station'],
  ['finance', 'Should I buy stocks or bonds?'],
  ['finance', 'How is mortgage interest taxed?'],
];

const route = (fields: object = {}) =>
  routeOf(
    'semantic',
    Object.entries(hints).map(([model, texts]) => ({ model, hints: [...texts] })),
    { ...fields },
  );
const order = new TargetOrder({ monotonicMs: () => 0 });
const asked = (text: string, one = route()) => order.order(one, { stream: false, promptText: () => text });

describe('semantic routes', () => {
  it.each(labelled)('%s: %s', (label, prompt) => {
    expect(asked(prompt)[0]?.model).toBe(label);
  });

  it.each(['', '???', 'zzz', '\u{1F600}'])('keep the array where nothing scores: %j', (prompt) => {
    expect(modelsOf(asked(prompt))).toBe(Object.keys(hints).join(' '));
  });

  it('list all targets: those that score, by score, then the others as they are', () => {
    fc.assert(
      fc.property(fc.string(), (prompt) => {
        const one = route();
        const ranked = order.explain(one, { stream: false, promptText: () => prompt });
        const scores = ranked.map(({ score }) => score ?? 0);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        const rest = ranked.filter(({ score }) => score === undefined).map(({ target }) => one.targets.indexOf(target));
        expect(rest).toEqual(rest.toSorted((a, b) => a - b));
        expect(new Set(ranked.map(({ target }) => target)).size).toBe(one.targets.length);
      }),
    );
  });

  it('ties keep the array, and keywords count together', () => {
    const twins = routeOf('semantic', [{ keywords: ['blue', 'sky'] }, { hints: 'red rose' }, { hints: 'red rose' }]);
    expect(modelsOf(asked('a red rose', twins))).toBe('b c a');
    expect(modelsOf(asked('the blue sky', twins))).toBe('a b c');
  });

  it('a hint that shares no word counts from min_score on', () => {
    // One is spelled like the other, and has another stem.
    const one = (fields: Readonly<Record<string, unknown>>) =>
      routeOf('semantic', [{}, { hints: 'photographically' }], fields);
    expect(modelsOf(asked('photographic', one({ min_score: 1 })))).toBe('a b');
    expect(modelsOf(asked('photographic', one({ min_score: 0.2 })))).toBe('b a');
  });

  it('bound the vectors of a route, and no hint is lost', () => {
    const many = Array.from(
      { length: 250 },
      (_, index) => `topic${index} of quite some length, so that all of them together are long`,
    );
    const targets = Array.from({ length: 250 }, (_, index) => ({
      model: `m${index}`,
      hints: [...many, `own${index}`],
    }));
    const wide = routeOf('semantic', targets, { vector_dimensions: 512 });
    const scores = new HintIndex(wide, wide.targets).scores('own249').map((score) => score ?? 0);
    expect(targets.length * Math.floor(HINT_VECTORS_MAX / targets.length)).toBeLessThanOrEqual(HINT_VECTORS_MAX);
    expect(scores.indexOf(Math.max(...scores))).toBe(249);
    expect(scores[249]).toBeGreaterThan(0);
  });
});

describe('vectors', () => {
  it('have length 1 or 0, are the same each time, and nearest to themselves', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string(),
        fc.integer({ min: 8, max: 512 }),
        (text, other, dimensions) => {
          const vector = hashVector(text, dimensions);
          expect(vector).toEqual(hashVector(text, dimensions));
          const own = similarity(vector, vector);
          expect(Math.min(Math.abs(own - 1), Math.abs(own))).toBeLessThan(1e-5);
          expect(similarity(vector, hashVector(other, dimensions))).toBeLessThanOrEqual(own + 1e-5);
        },
      ),
    );
  });

  it('look at the beginning of long texts only', () => {
    const text = 'word '.repeat(TEXT_LENGTH_MAX / 5).padEnd(TEXT_LENGTH_MAX);
    expect(hashVector(`${text} other`, 64)).toEqual(hashVector(text, 64));
  });

  it('know other scripts, and wide forms as their usual ones', () => {
    expect(similarity(hashVector('ＣＯＤＥ', 256), hashVector('code', 256))).toBeCloseTo(1);
    expect(similarity(hashVector('перевод текста', 256), hashVector('Перевод', 256))).toBeGreaterThan(0.5);
  });

  it('are of stop words where there is nothing else', () => {
    expect(similarity(hashVector('who are you', 256), hashVector('who are you', 256))).toBeCloseTo(1);
    expect(similarity(hashVector('who are you', 256), hashVector('code', 256))).toBeLessThan(0.3);
  });
});

describe('stems', () => {
  it.each([
    ['translate translates translated translating translation translations translator', 'translat'],
    ['query queries', 'query'],
    ['run running', 'run'],
    ['compute computing computer computes', 'comput'],
    ['class classes', 'class'],
    ['sing', 'sing'],
    ['red', 'red'],
    ['bus', 'bus'],
  ])('%s', (words, stem) => {
    expect(new Set(words.split(' ').map(stemOf))).toEqual(new Set([stem]));
  });
});
