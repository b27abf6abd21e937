import * as v from 'valibot';
import type { Family } from '../family.ts';
import * as field from '../fields.ts';
import { serverNamePattern } from '../server-names.ts';

/** Server names that a certificate answers for. Source: wire contract, Certificates, consumers, vaults. */
export const snis: Family = {
  name: 'snis',
  singular: 'sni',
  summary: 'SNIs: the server names that a certificate answers for',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.pipe(serverNamePattern, v.description('Exact name, or *. and the rest of one; unique in the gateway')),
    description: field.description,
    labels: field.labels,
    certificate_id: v.pipe(field.reference, v.description('What the gateway presents for this name')),
  },
  readOnlyFields: {},
  references: [
    {
      field: 'certificate_id',
      family: 'certificates',
      nameField: 'certificate_name',
      nameScope: 'gateway',
      whenTargetIsDeleted: 'cascade',
    },
  ],
  keys: [{ name: 'name', fields: ['name'], scope: 'gateway', addressable: true }],
  nestedPaths: [
    {
      path: '/gateways/{gateway_id}/certificates/{certificate_id}/snis',
      field: 'certificate_id',
      parameter: 'certificate_id',
    },
  ],
  methods: ['POST', 'PUT', 'PATCH', 'DELETE'],
  bundle: { key: 'snis', level: 3 },
  deliveredToGateways: false,
};
