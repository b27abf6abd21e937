import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  bundleFamilies,
  catalogue,
  familyNamed,
  immutableFields,
  metadataOf,
  patchSchema,
  readSchema,
  secretFields,
  writeSchema,
} from './index.ts';

describe('every family', () => {
  const order = new Map(catalogue.map((family, position) => [family.name, position]));

  it('has a name, a singular and a bundle key of its own', () => {
    for (const pick of [
      catalogue.map((family) => family.name),
      catalogue.map((family) => family.singular),
      bundleFamilies.map((family) => family.bundle.key),
    ]) {
      expect(new Set(pick).size).toBe(pick.length);
    }
  });

  it.each(catalogue)('$name refers only to families whose records can be there first', (family) => {
    for (const reference of family.references) {
      expect(order.get(reference.family)).toBeLessThan(order.get(family.name) ?? 0);
      expect(family.fields).toHaveProperty(reference.field);
      const addressable = familyNamed(reference.family).keys.some((key) => key.addressable);
      expect(addressable || reference.nameField === undefined).toBe(true);
    }
  });

  it.each(catalogue)('$name has aliases and nested paths that lead to fields', (family) => {
    for (const field of Object.values(family.fieldAliases ?? {})) expect(family.fields).toHaveProperty(field);
    for (const nested of family.nestedPaths ?? []) {
      expect(family.references.map((reference) => reference.field)).toContain(nested.field);
      expect(nested.path).toContain(`{${nested.parameter}}`);
    }
  });

  it.each(catalogue)('$name refuses a field that it does not know, in writes of every kind', (family) => {
    const unknown = { no_such_field: 1 };
    for (const schema of [writeSchema(family), patchSchema(family)]) {
      const issues = v.safeParse(schema, unknown).issues ?? [];
      expect(issues.map((issue) => v.getDotPath(issue))).toContain('no_such_field');
    }
  });

  it.each(catalogue)('$name never shows a write-only field', (family) => {
    const shown = Object.keys(
      (readSchema(family) as unknown as { pipe: { entries: object }[] }).pipe[0]?.entries ?? {},
    );
    const fields = Object.entries(family.fields).filter(([, schema]) => metadataOf(schema).writeOnly);
    for (const [field] of fields) expect(shown).not.toContain(field);
  });
});

describe('families that others build on', () => {
  it('creates what a bundle holds in an order in which every reference finds its target', () => {
    const position = new Map(bundleFamilies.map((family, index) => [family.name, index]));
    for (const family of bundleFamilies) {
      // References to families outside bundles are looked up where the records are stored.
      for (const reference of family.references.filter((candidate) => position.has(candidate.family))) {
        expect(position.get(reference.family)).toBeLessThan(position.get(family.name) ?? 0);
      }
    }
  });

  it('seals whole fields that are secrets', () => {
    expect(secretFields(familyNamed('certificates'))).toEqual(['key', 'key_alt']);
    expect(secretFields(familyNamed('ca-certificates'))).toEqual([]);
  });

  it('keeps what tells records apart from changing', () => {
    expect(immutableFields(familyNamed('tenants'))).toEqual(['slug', 'parent_id', 'parent_slug', 'status']);
    expect(immutableFields(familyNamed('targets'))).toEqual(['upstream_id']);
  });

  it('throws for a family that is not there, since only a bug asks for one', () => {
    expect(() => familyNamed('nothing')).toThrow(RangeError);
  });
});
