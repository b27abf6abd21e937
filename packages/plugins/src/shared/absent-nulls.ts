import * as v from 'valibot';
import { partsOf } from './schema-parts.ts';

/**
 * A config without the optional fields that are null, at every depth: bundles and other gateways' exports write every field that is
 * not set as null. It stays where null is a value of the field, where the field is required, and in maps, whose entries are no fields.
 * Source: wire, Bundles: null is absent.
 * @returns the config itself when there is no such field
 */
export function withoutNulls(schema: v.GenericSchema, config: unknown): unknown {
  if (typeof config !== 'object' || config === null) return config;
  const { wrapped, item, value, entries } = partsOf(schema);
  if (wrapped !== undefined) return withoutNulls(wrapped, config);
  if (Array.isArray(config)) {
    if (item === undefined) return config;
    const items: readonly unknown[] = config;
    const kept = items.map((one) => withoutNulls(item, one));
    return kept.every((one, index) => one === items[index]) ? config : kept;
  }
  const given = Object.entries(config);
  const kept = given.flatMap(([name, one]) => {
    const inner = value ?? (entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined);
    if (inner === undefined) return [[name, one] as const];
    return one === null && isOptional(inner) && !v.is(inner, null) ? [] : [[name, withoutNulls(inner, one)] as const];
  });
  const isSame = kept.length === given.length && kept.every(([, one], index) => one === given[index]?.[1]);
  return isSame ? config : Object.fromEntries(kept);
}

function isOptional({ type }: v.GenericSchema): boolean {
  return type === 'optional';
}
