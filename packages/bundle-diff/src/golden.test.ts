import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diffBundles, parseBundle, planChanges, resolveBundle, validateBundle } from './index.ts';
import type { BundleState } from './index.ts';
import { libraryDescriptor } from './testdata/library-descriptor.ts';

const folder = new URL('testdata/', import.meta.url);
const cases = readdirSync(folder).filter((name) => /^\d{3}-/.test(name));

/** Each folder holds `bundle.yaml`, perhaps `live.json`, and what must come out. New IDs are new-1, new-2, … */
describe('golden bundles', () => {
  it('there are some', () => expect(cases.length).toBeGreaterThanOrEqual(8));

  it.each(cases)('%s', (name) => {
    const read = (file: string): string => readFileSync(new URL(`${name}/${file}`, folder), 'utf8');
    const parsed = parseBundle(read('bundle.yaml'));
    if (!parsed.ok) throw new Error(parsed.error.message);
    const live = existsSync(new URL(`${name}/live.json`, folder)) ? (JSON.parse(read('live.json')) as BundleState) : {};
    expect(JSON.parse(JSON.stringify(outcomeOf(parsed.document, live)))).toEqual(JSON.parse(read('expected.json')));
  });
});

function outcomeOf(document: unknown, live: BundleState) {
  let made = 0;
  const { valid, errors, warnings } = validateBundle(document, libraryDescriptor);
  const strict = validateBundle(document, libraryDescriptor, { strict: true });
  const resolved = resolveBundle(document, libraryDescriptor, live, { newId: () => `new-${(made += 1)}` });
  const diff = diffBundles(live, resolved.desired, libraryDescriptor);
  const plan = planChanges(diff.changes, libraryDescriptor).map(({ level, changes }) => ({
    level,
    changes: changes.map((change) => `${change.action} ${change.resource_type} ${change.name ?? ''} ${change.id}`),
  }));
  return {
    validation: { valid, strictly_valid: strict.valid, errors, warnings },
    resolve_errors: resolved.errors,
    diff,
    plan,
  };
}
