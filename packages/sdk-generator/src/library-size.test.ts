import { describe, expect, it } from 'vitest';
import { sdkLimits } from './build/limits.ts';
import { generateSdk, sdkTargets } from './index.ts';
import { filesWithin } from './library-size.ts';
import { csharp } from './targets/csharp/index.ts';
import { java } from './targets/java/index.ts';
import { wideModel } from './targets/testing/wide-model.test-support.ts';

describe('the size of a library', () => {
  it('is counted while files are made, so that no more of them is made than it takes', () => {
    for (const [target, packageName] of [
      [java, 'com.acme'],
      [csharp, 'Acme'],
    ] as const) {
      const options = { packageName, packageVersion: '1.0.0', generatorVersion: '0.1.0' };
      const all = [...target.generate(wideModel, options)];
      const length = all.reduce((sum, { text }) => sum + text.length, 0);
      expect(filesWithin(target.generate(wideModel, options), length)).toEqual(all);
      let made = 0;
      const counted = function* () {
        for (const file of target.generate(wideModel, options)) {
          made += 1;
          yield file;
        }
      };
      expect(filesWithin(counted(), length - 1)).toBeUndefined();
      expect(made).toBe(all.length);
      made = 0;
      expect(filesWithin(counted(), 0)).toBeUndefined();
      expect(made).toBe(1);
    }
  });

  it('is bounded before any file is made where a text is repeated', () => {
    const operations = 100;
    const description = 'x'.repeat(sdkLimits.filesLengthMax / operations + 1);
    const parameter = { name: 'q', in: 'query', description, schema: { type: 'string' } };
    const get = { parameters: [{ $ref: '#/components/parameters/q' }], responses: {} };
    const document = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: Object.fromEntries(Array.from({ length: operations }, (_, index) => [`/p${index}`, { get }])),
      components: { parameters: { q: parameter } },
    };
    for (const target of sdkTargets) {
      const generation = generateSdk(document, { target });
      expect(generation.ok ? undefined : generation.problems[0]?.code).toBe('sdk_too_large');
    }
  });
});
