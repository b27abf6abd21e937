import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { pluginFolders } from '../scripts/registry-text.ts';
import { builtInPlugins, canonicalConfig, pluginCatalogue, type JsonSchema } from './index.ts';
import sections from './testdata/spec-sections.json' with { type: 'json' };
import { alteredConfigs, valueOfAnotherType } from './testing/altered-configs.ts';

/**
 * What a tenant reads from `GET /plugin-packages/{name}` and what the control plane checks a config with are derived from one
 * declaration. Here a second implementation of JSON Schema says whether they are of one mind.
 */
const source = import.meta.dirname;
const alternatives = new Map<string, readonly string[]>(
  Object.values(sections).flatMap((part) => Object.entries(part)),
);

// `x-secret` is a word of ours; the tables of characters that patterns name are checked as they are.
const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: false,
  keywords: ['x-secret'],
});

describe.each(pluginFolders(source))('%s', (folder) => {
  const schema = pluginCatalogue.get(folder)?.jsonSchema() ?? {};
  const plugin = builtInPlugins.find(({ name }) => name === folder);
  const readme = readFileSync(join(source, folder, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
  );
  const fields = schema['properties'] as Record<string, JsonSchema>;
  const isValid = ajv.compile(schema);
  const isCompiled = (config: unknown): boolean => plugin?.compile(config).ok ?? false;
  const needed = alternatives.get(folder) ?? [];

  it('has a schema that takes the examples of its README', () => {
    expect(examples.map((example) => (isValid(example) ? true : ajv.errorsText(isValid.errors)))).toEqual(
      examples.map(() => true),
    );
  });

  it('requires what the specification requires; alternatives stand in `anyOf`', () => {
    const branches = (schema['anyOf'] ?? []) as { required: readonly string[] }[];
    const always = (schema['required'] ?? []) as readonly string[];
    // Several fields are alternatives, or are all needed.
    const missing = needed.filter(
      (field) => !always.includes(field) && !branches.some(({ required }) => required.includes(field)),
    );
    expect(needed.length === 1 ? needed.filter((field) => !always.includes(field)) : missing).toEqual([]);
  });

  it('is refused by both without anything that is required', () => {
    const required = new Set([...((schema['required'] ?? []) as string[]), ...needed]);
    for (const example of required.size === 0 ? [] : examples) {
      const stripped = Object.fromEntries(Object.entries(example).filter(([name]) => !required.has(name)));
      expect([isValid(stripped), isCompiled(stripped)]).toEqual([false, false]);
    }
  });

  it.each(Object.keys(fields))('refuses another type in %s, in the schema and when compiled', (name) => {
    const wrong = valueOfAnotherType(fields[name] ?? {});
    for (const example of wrong === undefined ? [] : examples) {
      const config = { ...example, [name]: wrong };
      expect([isValid(config), isCompiled(config)]).toEqual([false, false]);
    }
  });

  it('compiles no config that its schema refuses', () => {
    const laxer = examples
      .flatMap((example) => [...alteredConfigs(example)])
      // A config that is not there is an empty one. The schema is that of configs without nulls.
      .filter(({ config }) => isCompiled(config) && !isValid(canonicalConfig(folder, config) ?? {}));
    expect(laxer.map(({ change }) => change)).toEqual([]);
  });
});
