import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAIL_CLOSED_CATEGORIES } from '@portcullis/plugin-runtime';
import { describe, expect, it } from 'vitest';
import { withFieldTable } from '../scripts/field-table.ts';
import { pluginFolders, registryText } from '../scripts/registry-text.ts';
import { builtInPlugins, pluginCatalogue, type JsonSchema } from './index.ts';
import addedRows from './testdata/added-rows.json' with { type: 'json' };
import specRows from './testdata/spec-rows.json' with { type: 'json' };
import sections from './testdata/spec-sections.json' with { type: 'json' };

const source = import.meta.dirname;
const folders = pluginFolders(source);
const rows = new Map<string, { trigger: string; fields: string }>(Object.entries({ ...specRows, ...addedRows }));

/** What plugins of a section are for. */
const SECTION_CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  'Authentication and security': ['authentication'],
  'Authentication and security, added': ['authentication'],
  'Access, traffic and routing': ['access_control', 'rate_limit', 'request_protection', 'enforcement', 'traffic'],
  // Masking protects data: it is an enforcement that transforms.
  Transformation: ['transformation', 'enforcement'],
  Observability: ['observability'],
  'Contract and AI policies': ['contract', 'enforcement', 'ai'],
};

/** Words in a field's name that say its value is a credential; `secret_ref`, `token_header` and the like only say where one is. */
const SECRET_NAME = /(?:secret|password|token|api_key|valid_keys|private)(?!(?:_[a-z_]+)?_(?:ref|header|prefix|env)$)/;

function entryOf(folder: string) {
  const entry = pluginCatalogue.get(folder);
  if (entry === undefined) throw new Error(`no plugin is named as the folder ${folder}`);
  return entry;
}

/** Every schema within a schema, with its place. */
function* schemasIn(schema: JsonSchema, at: string): Generator<[string, JsonSchema]> {
  yield [at, schema];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') {
      for (const [name, inner] of Object.entries(value as Record<string, JsonSchema>))
        yield* schemasIn(inner, `${at}/${name}`);
    } else if (['items', 'additionalProperties', 'propertyNames'].includes(keyword) && typeof value === 'object') {
      yield* schemasIn(value as JsonSchema, `${at}/${keyword}`);
    } else if (keyword === 'anyOf' && at.includes('/')) {
      for (const [index, branch] of (value as JsonSchema[]).entries()) yield* schemasIn(branch, `${at}/${index}`);
    }
  }
}

function isUnbounded(schema: JsonSchema): boolean {
  const has = (...keywords: string[]) => keywords.every((keyword) => schema[keyword] !== undefined);
  if (has('enum')) return false;
  if (schema['type'] === 'string') return !has('maxLength');
  if (schema['type'] === 'number' || schema['type'] === 'integer')
    return !(has('minimum', 'maximum') || has('exclusiveMinimum', 'maximum'));
  if (schema['type'] === 'array') return !has('maxItems');
  return schema['type'] === 'object' && schema['additionalProperties'] !== false && !has('maxProperties');
}

describe('the registry', () => {
  it('is current: `pnpm --filter @portcullis/plugins generate` would change nothing', () => {
    expect(readFileSync(join(source, 'registry.gen.ts'), 'utf8')).toBe(registryText(folders));
  });

  it('has a plugin for each row of the data files, and each row for a plugin', () => {
    expect(builtInPlugins.map(({ name }) => name).toSorted()).toEqual([...rows.keys()].toSorted());
  });
});

describe.each(folders)('%s', (folder) => {
  const entry = entryOf(folder);
  const schema = entry.jsonSchema();
  const fields = schema['properties'] as Record<string, JsonSchema>;
  const row = rows.get(folder);
  const readme = readFileSync(join(source, folder, 'README.md'), 'utf8');

  it('has the fields of its row in the specification, and no other', () => {
    expect(Object.keys(fields).toSorted()).toEqual(row?.fields.split('; '));
  });

  it("has its row's trigger as the default", () => {
    expect(entry.triggers[0]).toBe(row?.trigger);
  });

  it('is of a category of its section; what authenticates is fail-closed', () => {
    const [section] = Object.entries(sections).find(([, plugins]) => folder in plugins) ?? [];
    expect(SECTION_CATEGORIES[section ?? '']).toContain(entry.category);
    expect(FAIL_CLOSED_CATEGORIES.has('authentication')).toBe(true);
  });

  it('has a semantic version', () => {
    expect(entry.version).toMatch(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/);
  });

  it('describes itself and every field', () => {
    expect(entry.description).not.toBe('');
    expect(Object.entries(fields).filter(([, field]) => typeof field['description'] !== 'string')).toEqual([]);
  });

  it('bounds every number, text, list and map', () => {
    expect([...schemasIn(schema, '')].filter(([, inner]) => isUnbounded(inner)).map(([at]) => at)).toEqual([]);
  });

  it('refuses unknown fields, in the schema and when compiled', () => {
    expect(schema['additionalProperties']).toBe(false);
    const compiled = builtInPlugins.find(({ name }) => name === folder)?.compile({ no_such_field: 1 });
    expect(compiled).toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ pointer: '/no_such_field' })]) as unknown,
    });
  });

  it('marks fields whose name speaks of a secret', () => {
    const secrets = Object.entries(fields).filter(([name]) => SECRET_NAME.test(name));
    expect(secrets.filter(([, field]) => !JSON.stringify(field).includes('"x-secret":true'))).toEqual([]);
  });

  it('marks no name of a map as a secret: names are shown', () => {
    const names = [...schemasIn(schema, '')].filter(([at]) => at.endsWith('/propertyNames'));
    expect(names.filter(([, inner]) => JSON.stringify(inner).includes('"x-secret":true'))).toEqual([]);
    const maps = Object.entries(fields).filter(
      ([name, { additionalProperties: inner }]) => SECRET_NAME.test(name) && typeof inner === 'object',
    );
    expect(maps).toEqual([]);
  });

  it('has a README whose examples are valid configs', () => {
    const examples = [...readme.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text) as unknown);
    expect(examples.length).toBeGreaterThan(0);
    const plugin = builtInPlugins.find(({ name }) => name === folder);
    expect(examples.map((example) => plugin?.compile(example))).toEqual(
      examples.map(() => expect.objectContaining({ ok: true })),
    );
  });

  it('has a README with a current table of fields', () => {
    expect(withFieldTable(readme, schema)).toBe(readme);
  });
});
