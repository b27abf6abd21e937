import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseDescription } from '@portcullis/openapi';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { buildModel } from './build/build-model.ts';
import { generateSdk, sdkTargets } from './index.ts';
import { outputOf, writeFiles } from './targets/testing/target-files.test-support.ts';
import { typescriptFetch } from './targets/typescript-fetch/index.ts';

const resolve = createRequire(import.meta.url).resolve;
const root = path.dirname(resolve('@readme/oas-examples/package.json'));
/** YAML says the same as JSON. */
const files = globSync('{3.0,3.1}/json/**/*.json', { cwd: root }).toSorted();

/** What these descriptions break of the specification. */
const refused: Readonly<Record<string, string>> = {
  'parameters-common': 'invalid_path',
  'parameters-style': 'invalid_path',
};

const documentOf = (file: string): unknown => {
  const parsed = parseDescription(readFileSync(path.join(root, file), 'utf8'));
  if (!parsed.ok) throw new Error(`${file}:${parsed.error.line}`);
  return parsed.document;
};

describe('descriptions of @readme/oas-examples', () => {
  it('are many', () => expect(files.length).toBeGreaterThan(50));

  it.each(files)('%s gives a library of every language, or is refused for what it breaks', (file) => {
    const document = documentOf(file);
    const expected = refused[path.basename(file, '.json')];
    for (const target of sdkTargets) {
      const generation = generateSdk(document, { target, baseUrl: 'https://api.example.com' });
      expect(generation.ok ? undefined : generation.problems[0]?.code).toBe(expected);
    }
  });

  it('give libraries that compile, whatever they describe', async () => {
    await using folder = await temporaryFolder();
    const options = { packageName: 'all', packageVersion: '1.0.0', generatorVersion: '0.1.0' };
    for (const [index, file] of files.entries()) {
      const building = buildModel(documentOf(file));
      if (!building.ok) continue;
      const library = typescriptFetch.generate(building.model, options);
      // One run of the compiler for all of them; what is the same in each of them is there once.
      const own = library.filter((one) => index === 0 || /^src\/(?:client|models)\.ts$/.test(one.path));
      const moved = own.map((one) => ({
        path: one.path.replace(/^src\/(client|models)\.ts$/, `src/$1-${index}.ts`),
        text: one.text.replaceAll("'./models.ts'", `'./models-${index}.ts'`),
      }));
      writeFiles(
        folder.path,
        moved.filter((one) => one.path !== 'src/index.ts'),
      );
    }
    const tsc = path.join(path.dirname(resolve('typescript/package.json')), 'bin/tsc');
    expect(await outputOf(folder.path, process.execPath, [tsc, '-p', '.', '--noEmit'])).toBe('');
  }, 120_000);
});
