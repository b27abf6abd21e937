import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descriptionLimits } from './limits.ts';
import { readDescription } from './read-description.ts';
import { parseDescription } from './text/parse-description.ts';

const resolve = createRequire(import.meta.url).resolve;
const petstore = (suffix: string) =>
  readFileSync(resolve(`@readme/oas-examples/3.0/${suffix}/petstore.${suffix}`), 'utf8');
const words = [
  '$ref',
  '#/paths/~1a',
  '#/components/x',
  'paths',
  '/a',
  '/{a}',
  'get',
  'parameters',
  'servers',
  'url',
  'security',
  'in',
];
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, fc.constantFrom(null, 1, true, '', ...words), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), tie('any'), { maxKeys: 4 }),
})).any;

describe('whatever is read', () => {
  it('any value is a description or a bounded list of problems', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(value, value, value, (paths, components, servers) => {
        const reading = readDescription({ openapi: '3.2.0', info: {}, paths, components, servers });
        if (!reading.ok) expect(reading.problems.length).toBeLessThanOrEqual(descriptionLimits.problemsMax + 1);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['json', 'yaml'])('a text of %s with pieces cut out, doubled or written over never throws', (suffix) => {
    expect.hasAssertions();
    const text = petstore(suffix);
    const place = fc.nat(text.length);
    const junk = fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      '\n',
      '\t',
      '*a',
      '&a ',
      ': ',
      '\0',
      '"',
      "'",
      '!!x ',
      '- ',
      '<<: ',
    );
    fc.assert(
      fc.property(place, fc.nat(200), junk, fc.boolean(), (start, length, inserted, isDoubled) => {
        const piece = isDoubled ? text.slice(start, start + length) : '';
        const parsed = parseDescription(text.slice(0, start) + piece + inserted + text.slice(start + length));
        expect(parsed.ok || parsed.error.line > 0).toBe(true);
        if (!parsed.ok) return;
        const reading = readDescription(parsed.document);
        if (!reading.ok) for (const { pointer } of reading.problems.slice(0, 2)) parsed.positions(pointer);
      }),
      { numRuns: 60 },
    );
  });
});
