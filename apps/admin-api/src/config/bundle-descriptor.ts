import { describeFamilies } from '@portcullis/bundle-diff';
import type { BundleDescriptor, BundleRecord, CheckedRecord } from '@portcullis/bundle-diff';
import { bundleFamilies, immutableFields, metadataOf } from '@portcullis/resources';
import * as v from 'valibot';
import { bundleBehaviours } from './bundle-behaviours.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { valueAt } from '../resources/json-pointer.ts';
import { checkRecord } from '../resources/record-input.ts';
import { secretPointersOf } from '../resources/secret-values.ts';
import { without } from '../resources/values.ts';

type BundleFamily = (typeof bundleFamilies)[number];

/** What the descriptor takes from outside the catalogue. */
export interface BundleDescriptorParts {
  /** Told every plain secret of a record that passes its check: it may be compared by its mask. */
  readonly onSecret: (secret: string) => void;
  /** The mask of such a secret, once it is known. */
  readonly mask: (secret: string) => string | undefined;
  /** Whether it may. */
  readonly comparesSecrets: boolean;
}

/**
 * How a bundle's records are told apart, checked and compared: all of it from the catalogue.
 * @param families Default: those of bundles; snapshots have more
 */
export function bundleDescriptor(
  parts: BundleDescriptorParts,
  behaviours = bundleBehaviours,
  families: readonly BundleFamily[] = bundleFamilies,
): BundleDescriptor {
  const behaviourOf = (family: BundleFamily): FamilyBehaviour | undefined => behaviours.get(family.name);
  const secretsOf = (family: BundleFamily, record: BundleRecord): string[] =>
    secretPointersOf(family, behaviourOf(family), record);
  return describeFamilies(families, {
    parent: { family: 'gateways', field: 'gateway_id', nameField: 'gateway_name' },
    check(family, record) {
      const checked = checkBundleRecord(family, behaviourOf(family), record);
      if (!checked.ok) return checked;
      for (const pointer of secretsOf(family, checked.values)) {
        parts.onSecret(String(valueAt(checked.values, pointer)));
      }
      return checked;
    },
    isRequired: (family, field) => family.fields[field]?.type !== 'optional',
    immutable: immutableFields,
    writeOnly: (family) => [...writeOnlyFields(family), ...(behaviourOf(family)?.keptFields ?? [])],
    completeLive: declaredFields,
    defaults: defaultsOf,
    // What is made up is shown once, in the answer to a single create; a sync has no place for it.
    requiredWhenNew: (family, record) => behaviourOf(family)?.madeUp?.(record) ?? [],
    secretsOf,
    isSameSecret: (family, live, desired, pointer) => {
      const secret = valueAt(desired, pointer);
      if (typeof secret !== 'string' || !parts.comparesSecrets) return false;
      const mask = parts.mask(secret);
      if (behaviourOf(family)?.isSameSecret?.(live, pointer, secret, mask) === true) return true;
      return mask !== undefined && valueAt(live, pointer) === mask;
    },
  });
}

function writeOnlyFields(family: BundleFamily): string[] {
  return Object.keys(family.fields).filter((name) => {
    const schema = family.fields[name];
    return schema !== undefined && metadataOf(schema).writeOnly === true;
  });
}

/** What the schemas of fields give where a field is left out. */
function defaultsOf(family: BundleFamily): BundleRecord {
  const given = Object.entries(family.fields).flatMap(([name, schema]) => {
    const { success, output } = v.safeParse(schema, undefined);
    return success && output !== undefined ? [[name, output] as const] : [];
  });
  return Object.fromEntries(given);
}

/** A live record without what only the server keeps with it, hashes for instance: nothing to compare, still less to print. */
function declaredFields(family: BundleFamily, live: BundleRecord): BundleRecord {
  // Asked of every live record of a large bundle: most hide nothing, and no list is made of their fields.
  for (const field in live) if (isHidden(family, field)) return withoutHidden(family, live);
  return live;
}

function withoutHidden(family: BundleFamily, live: BundleRecord): BundleRecord {
  return without(live, ...Object.keys(live).filter((field) => isHidden(family, field)));
}

function isHidden(family: BundleFamily, field: string): boolean {
  return !(field in family.fields) && field !== 'id' && field !== 'gateway_id';
}

/** Fields that say where a record is; the bundle library and the engine look after them, not the family's schema. */
function checkBundleRecord(
  family: BundleFamily,
  behaviour: FamilyBehaviour | undefined,
  record: BundleRecord,
): CheckedRecord {
  const checked = checkRecord(family, behaviour?.canonical?.(record) ?? record);
  if (!checked.ok) return checked;
  const values = behaviour?.derive?.(checked.values, undefined) ?? checked.values;
  if (!behaviour?.check) return { ok: true, values };
  const problems = behaviour.check(withNamedTargets(family, values));
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** What is referred to by name counts as given: rules that ask for the reference are about whether there is one. */
function withNamedTargets(family: BundleFamily, values: BundleRecord): BundleRecord {
  if (family.references.length === 0) return values;
  const complete: Record<string, unknown> = { ...values };
  for (const { field, nameField } of family.references) {
    if (nameField !== undefined) complete[field] ??= values[nameField];
  }
  return complete;
}
