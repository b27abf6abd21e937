import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseBundle, validateBundle } from '@portcullis/bundle-diff';
import { parseDescription, readDescription } from '@portcullis/openapi';
import type { Description } from '@portcullis/openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { localDescriptor } from '../../../bundle/local-descriptor.ts';
import { convertDescription } from './convert-description.ts';
import type { ConvertOptions } from './convert-description.ts';
import { misrouted } from './routed-samples.test-support.ts';
import { templatePriorities } from './template-order.ts';

const root = path.dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
const files = globSync('{3.0,3.1}/**/*.json', { cwd: root }).toSorted();
const descriptor = localDescriptor();

function descriptionOf(document: unknown): Description | undefined {
  const reading = readDescription(document);
  return reading.ok ? reading.description : undefined;
}

function bundleOf(description: Description, options: Partial<ConvertOptions> = {}): Record<string, unknown> {
  const all = {
    tenantId: 'acme',
    url: 'http://10.0.0.1',
    routesPer: 'path',
    oasValidation: false,
    ...options,
  } as const;
  const conversion = convertDescription(description, all);
  if (!conversion.ok) throw new Error(JSON.stringify(conversion.problems));
  return conversion.bundle;
}

describe.each(['path', 'operation'] as const)('routes per %s', (routesPer) => {
  it('of real descriptions are valid, and every request goes to the route of its operation', () => {
    let converted = 0;
    for (const file of files) {
      const parsed = parseDescription(readFileSync(path.join(root, file), 'utf8'));
      const description = parsed.ok ? descriptionOf(parsed.document) : undefined;
      if (description === undefined || description.operations.length === 0) continue;
      const bundle = bundleOf(description, { routesPer, oasValidation: true });
      const { errors, warnings } = validateBundle(bundle, descriptor, { strict: true });
      expect([file, errors, warnings]).toEqual([file, [], []]);
      expect([file, misrouted(description, bundle)]).toEqual([file, []]);
      converted += 1;
    }
    expect(converted).toBeGreaterThan(50);
  });

  it('of any templates take what was written for them', () => {
    const segment = fc.constantFrom('a', 'b', 'a.b', '{x}', '{y}', 'p{x}', '{x}.json', 'v{y}:do');
    const template = fc.array(segment, { maxLength: 4 }).map((segments) => {
      let count = 0;
      return `/${segments.map((text) => text.replaceAll(/\{\w+\}/g, () => `{p${(count += 1)}}`)).join('/')}`;
    });
    fc.assert(
      fc.property(fc.uniqueArray(template, { minLength: 1, maxLength: 12 }), (templates) => {
        const paths = Object.fromEntries(templates.map((text) => [text, { get: {}, put: {} }]));
        const description = descriptionOf({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
        if (description === undefined) throw new Error('the description is broken');
        const ambiguous = templates.filter((one) => templates.some((other) => other !== one && overlap(one, other)));
        const wrong = misrouted(description, bundleOf(description, { routesPer }));
        expect(wrong.filter((text) => !ambiguous.some((one) => text.includes(` ${one} `)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

it('whatever texts a description has, its bundle can be written, read again and is valid', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('\0', '\uD800', '', ' ', '.'),
  );
  const operation = fc.record({
    operationId: text,
    summary: text,
    tags: fc.array(text, { maxLength: 3 }),
    deprecated: fc.boolean(),
  });
  const path = fc
    .array(fc.oneof(text, fc.constantFrom('a', '{x}')), { maxLength: 3 })
    .map((steps) => `/${steps.join('/')}`);
  let converted = 0;
  fc.assert(
    fc.property(
      text,
      text,
      fc.dictionary(path, fc.record({ get: operation, put: operation })),
      (title, version, paths) => {
        const description = descriptionOf({ openapi: '3.0.0', info: { title, version }, paths });
        if (description === undefined) return;
        const options = {
          tenantId: 'acme',
          url: 'http://10.0.0.1',
          routesPer: 'operation',
          oasValidation: false,
        } as const;
        const conversion = convertDescription(description, options);
        if (!conversion.ok) return;
        const read = parseBundle(stringify(conversion.bundle, { aliasDuplicateObjects: false }));
        expect(read.ok || read.error).toBe(true);
        expect(validateBundle(read.ok && read.document, descriptor, { strict: true }).errors).toEqual([]);
        converted += 1;
      },
    ),
    { numRuns: 500 },
  );
  expect(converted).toBeGreaterThan(50);
});

/** Mixed segments of which neither says less than the other: the sample of one may read like the other. */
function overlap(one: string, other: string): boolean {
  const [left, right] = [one.split('/'), other.split('/')];
  const isMixed = (text: string | undefined) => text !== undefined && /^(?:[^{]+\{|\{\w+\}[^}])/.test(text);
  return (
    left.length === right.length &&
    left.some(
      (text, index) =>
        isMixed(text) && isMixed(right[index]) && text.replace(/\d/, '') !== right[index]?.replace(/\d/, ''),
    )
  );
}

describe('templatePriorities', () => {
  const priorities = (...templates: readonly string[]) => {
    const paths = Object.fromEntries(templates.map((text) => [text, { get: {} }]));
    const description = descriptionOf({ openapi: '3.0.0', info: {}, paths });
    return Object.fromEntries(templatePriorities(description?.operations ?? []));
  };

  it('are given only where the longer literal beginning does not decide', () => {
    expect(priorities('/pets/mine', '/pets/{id}', '/pets/{id}/toys', '/{kind}/all', '/pets/{id}/toys/{toy}')).toEqual(
      {},
    );
    expect(priorities('/a/{x}/c', '/a/{x}/{y}')).toEqual({ '/a/{x}/c': 1 });
    expect(priorities('/{x}/{y}', '/{x}/b', '/a/{y}', '/other/{x}/{y}')).toEqual({ '/{x}/b': 1, '/a/{y}': 2 });
    expect(priorities('/f/{name}', '/f/{name}.json')).toEqual({ '/f/{name}.json': 1 });
    expect(priorities('/f/{rest+}', '/f/{name}', '/f/{name}/x')).toEqual({ '/f/{name}': 1, '/f/{name}/x': 2 });
  });

  it('are not given to templates that a greedy one cannot meet', () => {
    const deep = ['/repos/{o}/{r}/files/{path+}', '/repos/{o}/{r}/files/{name}/raw', '/repos/{o}/{r}/tags/{tag}'];
    expect(priorities(...deep, '/gists/{id}', '/gists/{id}/stars')).toEqual({ '/repos/{o}/{r}/files/{name}/raw': 1 });
  });

  it('do not depend on the order of the document', () => {
    const templates = ['/{x}/{y}', '/{x}/b', '/a/{y}', '/{x}/{y}/c', '/a/{y}/{z}', '/{x}.json/b'];
    fc.assert(
      fc.property(fc.shuffledSubarray(templates, { minLength: templates.length }), (shuffled) => {
        expect(priorities(...shuffled)).toEqual(priorities(...templates));
      }),
    );
  });
});
