import * as v from 'valibot';
import type { Family, FamilyRule } from '../family.ts';
import * as field from '../fields.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** Seconds that a stored answer lives at the most. A month is the longest. */
export const cacheStoreTtlSeconds = { min: 1, max: 2_592_000, default: 300 } as const;
/** Characters of an address, a user name or password, and of what keys begin with. */
const urlLengthMax = 2048;
const accountLengthMax = 512;
const prefixLengthMax = 128;

/** Whether a text is the address of a Redis server: a host, perhaps a port, perhaps the number of a database. */
export function isRedisUrl(text: string): boolean {
  const match = /^rediss?:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\/\d{0,5})?$/.test(text);
  return match && text.length <= urlLengthMax && URL.canParse(text);
}

const redisFields = ['url', 'username', 'password'] as const;

/** Redis is somewhere else, so it has an address; memory is the gateway's own, so nothing about one. */
const fieldsOfDriver: FamilyRule = (record) => {
  const isGiven = (name: string): boolean => (record[name] ?? null) !== null;
  if (record['driver'] === 'memory') {
    return redisFields
      .filter(isGiven)
      .map((name) => ({ pointer: `/${name}`, code: 'not_allowed', message: 'is no field of a memory store' }));
  }
  return isGiven('url') ? [] : [{ pointer: '/url', code: 'required', message: 'is required for redis' }];
};

const account = (about: string) =>
  v.pipe(
    v.string(),
    minCharacters(1),
    maxCharacters(accountLengthMax),
    v.check(field.hasNoControlCharacters, 'must not contain control characters'),
    v.description(about),
  );

/** Where gateways keep shared caches. Source: wire contract, Certificates, consumers, vaults. */
export const cacheStoreConfigs: Family = {
  name: 'cache-store-configs',
  singular: 'cache_store_config',
  summary: 'Cache stores: where gateways keep what they cache',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    driver: v.pipe(v.picklist(['memory', 'redis']), v.description('Kind of store')),
    url: v.optional(
      v.pipe(
        v.string(),
        v.check(isRedisUrl, 'must be redis://host[:port][/database] or rediss://…, without user and password'),
        v.description('redis: address of the server; its account is in username and password'),
      ),
    ),
    username: v.optional(account('redis: user name')),
    password: v.optional(
      v.pipe(account('redis: password; sealed at rest, reads show a mask'), v.metadata({ 'x-secret': true })),
    ),
    prefix: v.optional(
      v.pipe(
        v.string(),
        maxCharacters(prefixLengthMax),
        v.regex(/^[\x21-\x7E]*$/, 'must be printable ASCII without spaces'),
        v.description("What the store's keys begin with"),
      ),
      '',
    ),
    ttl_seconds: field.integer(
      cacheStoreTtlSeconds.min,
      cacheStoreTtlSeconds.max,
      cacheStoreTtlSeconds.default,
      'Seconds that an entry lives where nothing else says so',
    ),
  },
  readOnlyFields: {},
  rules: [fieldsOfDriver],
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'cache_store_configs', level: 1 },
  deliveredToGateways: false,
};
