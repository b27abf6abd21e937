import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkBundle, parseBundle, resolveBundle, validateAndResolve, validateBundle } from './index.ts';
import type { BundleDescriptor, BundleState } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const folder = new URL('testdata/', import.meta.url);
const goldens = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

function golden(name: string): { readonly document: unknown; readonly live: BundleState } {
  const files = readdirSync(new URL(`${name}/`, folder));
  const file = files.find((one) => one.startsWith('bundle.')) ?? '';
  const parsed = parseBundle(readFileSync(new URL(`${name}/${file}`, folder), 'utf8'));
  const live = files.includes('live.json') ? readFileSync(new URL(`${name}/live.json`, folder), 'utf8') : '{}';
  return { document: parsed.ok ? parsed.document : undefined, live: JSON.parse(live) as BundleState };
}

/** IDs that do not depend on who asks. */
function ids(): () => string {
  let made = 0;
  return () => `n${String((made += 1)).padStart(6, '0')}`;
}

/** The same descriptor, counting how often a record is checked. */
function counting(descriptor: BundleDescriptor) {
  const counter = { checks: 0 };
  const collections = descriptor.collections.map((collection) => ({
    ...collection,
    check: (record: Parameters<typeof collection.check>[0]) => {
      counter.checks += 1;
      return collection.check(record);
    },
  }));
  return { counter, descriptor: { collections } };
}

describe('validating and resolving in one pass', () => {
  it.each(goldens.flatMap(({ name }) => [[name, false] as const, [name, true] as const]))(
    'says of %s (strict: %s) what the two say one after the other',
    (name, strict) => {
      const { document, live } = golden(name);
      const { validation, resolved } = validateAndResolve(checkBundle(document, libraryDescriptor), live, {
        newId: ids(),
        strict,
      });
      expect(validation).toEqual(validateBundle(document, libraryDescriptor, { strict, live }));
      const { desired, errors } = resolveBundle(document, libraryDescriptor, live, { newId: ids() });
      expect({ desired: resolved.desired, errors: resolved.errors }).toEqual({ desired, errors });
    },
  );

  it('keeps to the limit of problems', () => {
    const document = { tenant_id: 'acme', services: Array.from({ length: 30 }, () => ({ unknown: 1 })) };
    const limits = { problemsMax: 5 };
    const options = { newId: ids(), limits };
    const { validation, resolved } = validateAndResolve(checkBundle(document, libraryDescriptor, limits), {}, options);
    expect(validation).toEqual(validateBundle(document, libraryDescriptor, { limits }));
    expect(resolved.errors).toEqual(resolveBundle(document, libraryDescriptor, {}, options).errors);
  });

  it('checks each record once', () => {
    const { counter, descriptor } = counting(libraryDescriptor);
    const gateways = Array.from({ length: 40 }, (_, index) => ({ name: `g${index}` }));
    validateAndResolve(checkBundle({ tenant_id: 'acme', gateways }, descriptor), {}, { newId: ids() });
    expect(counter.checks).toBe(40);
  });
});
