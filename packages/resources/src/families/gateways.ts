import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { hostPattern } from '../hosts.ts';
import { maxCharacters } from '../text-length.ts';

/** Gateways. Source: spec, Routing and identity resources; wire contract, Gateways, services, routes. */
export const gateways: Family = {
  name: 'gateways',
  singular: 'gateway',
  summary: 'Gateways: where routes live and which data planes carry out',
  scope: 'tenant',
  access: { read: 'read', write: 'write' },
  fields: {
    name: field.name,
    description: field.description,
    labels: field.labels,
    hosts: field.textList(hostPattern, 'Hosts that the gateway answers for; any when empty'),
    proxy_url: v.optional(
      v.pipe(v.string(), v.url('must be a URL'), maxCharacters(2048), v.description('Where clients reach it')),
    ),
    workspace_id: v.optional(v.pipe(field.reference, v.description('Workspace that the gateway joins'))),
    allow_encoded_slashes: v.optional(
      v.pipe(
        v.boolean(),
        v.description('Whether paths may contain %2F, which stays encoded; otherwise they are refused with 400'),
      ),
      true,
    ),
  },
  readOnlyFields: {
    workspace: v.strictObject({
      id: v.pipe(v.string(), v.description('ID of the generated workspace metadata')),
      name: v.pipe(v.string(), v.description('Name of the generated workspace metadata')),
    }),
  },
  references: [
    {
      field: 'workspace_id',
      family: 'workspaces',
      nameScope: 'tenant',
      whenTargetIsDeleted: 'restrict',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'tenant', addressable: true }],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'gateways', level: 1, sets: ['hosts'] },
  deliveredToGateways: false,
};
