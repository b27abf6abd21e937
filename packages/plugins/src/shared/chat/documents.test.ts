import { compileGuard, judgeTexts } from '@portcullis/ai-router';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerDocument } from './answer-document.ts';
import { saidIn, streamOf } from './chat-bench.test-support.ts';

const STREAM = 'text/event-stream';
const guard = compileGuard({ action: 'mask', terms: ['hidden'], pii: ['email'], mask: '#' });
if (guard === undefined) throw new Error('there are rules');
const SECRETS = ['hidden', 'ann@example.org'] as const;

/** A text with secrets in it, cut into pieces anywhere. */
const pieces = fc
  .array(fc.oneof(fc.constantFrom(...SECRETS), fc.constantFrom('a', ' ', '\n', '"', '𝒳', 'é', ': ', 'data: ')), {
    maxLength: 12,
  })
  .map((words) => words.join(' '))
  .chain((text) => fc.tuple(fc.constant(text), fc.array(fc.nat(text.length), { maxLength: 8 })))
  .map(([text, cuts]) => {
    const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  });

const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

describe('a document', () => {
  it('of a stream leaves nothing of what is masked, however its text is cut and its lines end', () => {
    fc.assert(
      fc.property(pieces, lineEnds, fc.boolean(), (texts, lineEnd, isKnown) => {
        const known = streamOf(texts);
        const stream = (isKnown ? known : known.replaceAll('"choices"', '"parts"')).replaceAll('\n', lineEnd);
        const document = answerDocument({ text: stream, type: STREAM });
        const verdict = document === undefined ? 'blocked' : judgeTexts([guard], document.places());
        const left = verdict === 'masked' ? (document?.written() ?? '') : stream;
        const said = saidIn(left.replaceAll(/\r\n?/g, '\n').replaceAll('"parts"', '"choices"'));
        expect(SECRETS.filter((secret) => said.includes(secret))).toEqual([]);
        if (!texts.join('').includes('hidden') && !texts.join('').includes('@')) expect(verdict).toBe('pass');
      }),
    );
  });

  it('says the same when it is written as when it was read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 }),
        lineEnds,
        (values, lineEnd) => {
          const stream = values
            .map((value) => `: c${lineEnd}${lineEnd}id: 1${lineEnd}data: ${JSON.stringify(value)}${lineEnd}${lineEnd}`)
            .join('');
          const written = answerDocument({ text: stream, type: STREAM })?.written() ?? '';
          const data = written
            .split('\n')
            .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as unknown] : []));
          expect(data).toEqual(values.map((value) => JSON.parse(JSON.stringify(value)) as unknown));
          const [one] = values;
          const whole = answerDocument({ text: JSON.stringify(one), type: 'application/json' });
          expect(whole?.exact()).toBe(JSON.stringify(one));
        },
      ),
    );
  });

  it('of any text and type throws nothing', () => {
    const types = fc.constantFrom(STREAM, 'application/json', 'application/x-ndjson', 'text/plain', '');
    const text = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', 'data', 'a', '\n', '\r', '\\', '1'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, types, (parts, type) => {
        const document = answerDocument({ text: parts.join(''), type });
        judgeTexts([guard], document?.places() ?? []);
        expect(typeof document?.written()).toBe(document === undefined ? 'undefined' : 'string');
      }),
    );
  });
});
