import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DescribedApi } from './description/described-api.ts';
import { readSpec } from './description/read-spec.ts';
import { entriesIn, fieldIn, schemaOf } from './operations/contract.ts';
import { SchemaChecks } from './schemas/schema-checks.ts';

const root = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));

/** What is wrong with those that are refused. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  '3.0/parameters-common.json': /two parameters of one name/,
  '3.0/parameters-style.json': /must be a path without/,
  '3.1/parameters-style.json': /must be a path without/,
  // A flag, as in 3.0.
  '3.1/schema-validation-local.json': /has not the form that exclusiveMinimum has/,
  '3.1/schema-validation-top-level.json': /has not the form that exclusiveMinimum has/,
};

const files = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(path.join(root, version, 'json'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: `${version}/${file}`,
      text: readFileSync(path.join(root, version, 'json', file), 'utf8'),
    })),
);

describe('the descriptions of @readme/oas-examples', () => {
  it('are many', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  it.each(files)('$name', ({ name, text }) => {
    const read = readSpec(text);
    const refused = REFUSED[name];
    if (refused !== undefined || !('description' in read)) {
      expect('description' in read ? [] : read.map(({ message }) => message).join(' ')).toMatch(
        refused ?? /^no reason$/,
      );
      return;
    }
    const { description, follow, dialect, hasUnevaluated } = read;
    const api = new DescribedApi(read, { isStrict: true, bytesMax: 1000 }, '');
    const lost = description.operations.filter(({ method, path: template }) => {
      const found = api.find(method, template.replaceAll(/\{[^}]+\}/g, 'x'));
      return typeof found === 'string';
    });
    expect(lost).toEqual([]);
    // Each schema is compiled both ways, which must not go wrong, and say the same.
    const [pieces, whole] = [false, true].map(
      (isWhole) => new SchemaChecks(follow, dialect, isWhole || hasUnevaluated),
    );
    for (const { definition, pointer } of description.operations) {
      const responses = fieldIn({ follow }, { value: definition, pointer }, 'responses');
      for (const [, response] of entriesIn({ follow }, responses)) {
        for (const [, media] of entriesIn({ follow }, fieldIn({ follow }, response, 'content'))) {
          const schema = schemaOf(media.value, media.pointer);
          if (schema === undefined) continue;
          for (const value of [null, {}, [], 'x', 1, { id: 'x', name: 1, code: {} }]) {
            expect(pieces?.checkOf(schema, 'response')(value)).toEqual(whole?.checkOf(schema, 'response')(value));
          }
        }
      }
    }
  });
});
