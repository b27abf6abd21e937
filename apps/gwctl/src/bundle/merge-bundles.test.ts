import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeBundles } from './merge-bundles.ts';

const part = fc.dictionary(
  fc.constantFrom('routes', 'services', 'a/b', 'c~d'),
  fc.option(fc.array(fc.record({ name: fc.nat() }), { maxLength: 4 })),
);

it('every record of every part is in the whole once, in order, and is found again in its part', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (documents) => {
      const parts = documents.map((document, index) => ({ file: String(index), document, placeOf: () => '' }));
      const { document, sourceOf } = mergeBundles(parts);
      for (const [key, merged] of Object.entries(document)) {
        const expected = documents.flatMap((one, index) =>
          (one[key] ?? []).map((record, position) => ({ record, file: String(index), position })),
        );
        if (merged === null) expect(expected).toEqual([]);
        else expect(merged).toEqual(expected.map(({ record }) => record));
        const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
        for (const [index, { file, position }] of expected.entries()) {
          const source = sourceOf(`/${step}/${index}/name`);
          expect([source?.part.file, source?.pointer]).toEqual([file, `/${step}/${position}/name`]);
        }
      }
    }),
  );
});
