import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';

/** Upstreams: pools of targets. Source: wire contract, Upstreams, targets, health. */
export const upstreams: Family = {
  name: 'upstreams',
  singular: 'upstream',
  summary: 'Upstreams: pools of targets that a service balances over',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    algorithm: v.optional(v.pipe(v.picklist(['round-robin']), v.description('How a target is chosen')), 'round-robin'),
    host_header: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(253),
        v.regex(/^[A-Za-z0-9._:[\]-]+$/, 'must be a host'),
        v.description('Host sent to targets'),
      ),
    ),
  },
  readOnlyFields: {},
  references: [],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'upstreams', level: 3 },
  deliveredToGateways: true,
};
