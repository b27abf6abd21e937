import { isDeepStrictEqual } from 'node:util';
import { familyNamed, parseServiceUrl } from '@portcullis/resources';
import * as v from 'valibot';
import { isCallable } from './service-plans.ts';

/** A field of a record that says something this gateway does not do yet. */
export interface FieldNotActedOn {
  /** Collection and name of the record: `upstreams/pool`. */
  readonly record: string;
  readonly field: string;
}

/** What of a configuration is not acted on. */
export interface NotActedOn {
  readonly total: number;
  /** The first of them. */
  readonly fields: readonly FieldNotActedOn[];
}

/** Fields that one warning names. */
export const namedFieldsMax = 50;

type Collection = 'services' | 'routes' | 'upstreams' | 'targets';

/** By collection. What a field's family has as default is what the gateway does in any case. */
const fields: Readonly<Record<Collection, readonly string[]>> = {
  services: ['tls_verify', 'tls_verify_depth', 'client_certificate_id', 'ca_certificate_ids'],
  routes: [],
  upstreams: ['client_certificate_id'],
  targets: [],
};

const collections: readonly Collection[] = ['services', 'routes', 'upstreams', 'targets'];

const defaults: ReadonlyMap<string, ReadonlyMap<string, unknown>> = new Map(
  collections.map((collection) => [collection, defaultsOf(collection)]),
);

/**
 * Names what the operator set in a record and this gateway does not do yet, so that it can be said: the control plane stores
 * these fields for gateways that will. Disabled records are not looked at.
 */
export function fieldsNotActedOnIn(collection: string, record: Readonly<Record<string, unknown>>): readonly string[] {
  const fallbacks = defaults.get(collection);
  if (fallbacks === undefined || record['enabled'] === false) return [];
  const names = [...fallbacks].filter(([name, fallback]) => says(record[name], fallback)).map(([name]) => name);
  if (collection === 'services' && hasForeignUrl(record)) names.push('url');
  return names;
}

/** What a configuration's records say and this gateway does not do; kept up to date record by record. */
export class FieldsNotActedOn {
  readonly #fields = new Map<string, readonly FieldNotActedOn[]>();
  #total = 0;

  /** @param record `undefined` for one that is no more */
  put(collection: string, id: string, record: Readonly<Record<string, unknown>> | undefined): void {
    const key = `${collection}/${id}`;
    const names = record === undefined ? [] : fieldsNotActedOnIn(collection, record);
    this.#total += names.length - (this.#fields.get(key)?.length ?? 0);
    const name = record === undefined ? '' : `${collection}/${nameOf(record)}`;
    if (names.length === 0) this.#fields.delete(key);
    else
      this.#fields.set(
        key,
        names.map((field) => ({ record: name, field })),
      );
  }

  /** All of them, counted, and the first ones by name. */
  summary(): NotActedOn {
    const found: FieldNotActedOn[] = [];
    for (const fields of this.#fields.values()) {
      found.push(...fields.slice(0, namedFieldsMax - found.length));
      if (found.length === namedFieldsMax) break;
    }
    return { total: this.#total, fields: found };
  }
}

function defaultsOf(collection: Collection): ReadonlyMap<string, unknown> {
  const family = familyNamed(collection);
  return new Map(
    fields[collection].map((name) => {
      const schema = family.fields[name];
      if (schema === undefined) throw new RangeError(`${collection} have no field ${name}`);
      return [name, v.getDefault(schema)];
    }),
  );
}

function says(value: unknown, fallback: unknown): boolean {
  return value !== undefined && value !== null && !isDeepStrictEqual(value, fallback);
}

function hasForeignUrl({ url }: Readonly<Record<string, unknown>>): boolean {
  const parsed = typeof url === 'string' ? parseServiceUrl(url) : undefined;
  return parsed !== undefined && !isCallable(parsed);
}

function nameOf({ name, id }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : String(id);
}
