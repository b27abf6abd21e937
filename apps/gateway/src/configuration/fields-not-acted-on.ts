import { isDeepStrictEqual } from 'node:util';
import { familyNamed, parseServiceUrl, type ConfigurationDocument } from '@portcullis/resources';
import * as v from 'valibot';
import { isReachable } from './compile-route.ts';
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
  routes: ['request_buffering', 'response_buffering'],
  upstreams: [
    'algorithm',
    'hash_on',
    'hash_fallback',
    'hash_on_header',
    'hash_fallback_header',
    'hash_on_cookie',
    'hash_on_cookie_path',
    'hash_on_query_arg',
    'hash_fallback_query_arg',
    'hash_on_uri_capture',
    'hash_fallback_uri_capture',
    'slots',
    'client_certificate_id',
    'healthchecks',
  ],
  targets: ['priority'],
};

const collections: readonly Collection[] = ['services', 'routes', 'upstreams', 'targets'];

/**
 * Lists what the operator set and this gateway does not do yet, so that it can be said: the control plane stores these
 * fields for gateways that will. Disabled records are not looked at.
 */
export function fieldsNotActedOn(document: ConfigurationDocument): NotActedOn {
  const found: FieldNotActedOn[] = [];
  let total = 0;
  for (const collection of collections) {
    const defaults = defaultsOf(collection);
    for (const record of document.resources[collection]) {
      if (record['enabled'] === false) continue;
      const names = [...defaults].filter(([name, fallback]) => says(record[name], fallback)).map(([name]) => name);
      if (collection === 'services' && hasForeignUrl(record)) names.push('url');
      if (collection === 'routes') names.push(...unmatchable(record));
      total += names.length;
      const room = namedFieldsMax - found.length;
      found.push(...names.slice(0, room).map((field) => ({ record: `${collection}/${nameOf(record)}`, field })));
    }
  }
  return { total, fields: found };
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

/** Of a route that is left out because no request here can match it: why. */
function unmatchable({ snis, protocols }: Readonly<Record<string, unknown>>): string[] {
  const asked = { snis: texts(snis), protocols: texts(protocols) };
  const names = ['snis', 'protocols'] as const;
  return names.filter((name) => !isReachable({ snis: [], protocols: [], [name]: asked[name] }));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function nameOf({ name, id }: Readonly<Record<string, unknown>>): string {
  return typeof name === 'string' ? name : String(id);
}
