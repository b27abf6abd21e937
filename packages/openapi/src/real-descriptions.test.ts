import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDescription } from './read-description.ts';
import { parseDescription } from './text/parse-description.ts';

const root = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const files = globSync('{2.0,3.0,3.1}/**/*.{json,yaml}', { cwd: root }).toSorted();

/** What these descriptions break of the specification. */
const broken: Readonly<Record<string, string>> = {
  'parameters-common': 'invalid_path',
  'parameters-style': 'invalid_path',
};

const read = (file: string) => {
  const parsed = parseDescription(readFileSync(path.join(root, file), 'utf8'));
  if (!parsed.ok) throw new Error(`${file}:${parsed.error.line}: ${parsed.error.message}`);
  return { reading: readDescription(parsed.document), positions: parsed.positions };
};

describe('descriptions of @readme/oas-examples', () => {
  it('are many', () => expect(files.length).toBeGreaterThan(100));

  it.each(files)('%s is read, or refused for what it breaks', (file) => {
    const { reading, positions } = read(file);
    const expected = file.startsWith('2.0') ? 'version' : broken[path.basename(file).replace(/\..*/, '')];
    expect(reading.ok ? undefined : reading.problems[0]?.code).toBe(expected);
    if (!reading.ok) expect(positions(reading.problems[0]?.pointer ?? '')?.line).toBeGreaterThan(0);
  });

  it('give the same in JSON and in YAML', () => {
    const shape = (file: string) => {
      const { reading } = read(file);
      return reading.ok && reading.description.operations.map(({ method, path: at, servers }) => [method, at, servers]);
    };
    for (const name of ['petstore', 'star-trek', 'server-path-level', 'circular-paths']) {
      expect(shape(`3.0/yaml/${name}.yaml`)).toEqual(shape(`3.0/json/${name}.json`));
    }
  });
});
