import * as v from 'valibot';
import type { Family, FamilyRule } from '../family.ts';
import * as field from '../fields.ts';
import { certificateServerName } from '../server-names.ts';

/** What clients of a server name are asked for. */
export const clientCertificateModes = ['none', 'request', 'require'] as const;

/** Without authorities no certificate could be trusted, and every handshake would fail. */
const authoritiesForRequired: FamilyRule = (record) => {
  const authorities = record['client_ca_certificate_ids'];
  if (record['client_certificate_mode'] !== 'require') return [];
  if (Array.isArray(authorities) && authorities.length > 0) return [];
  const message = 'needs at least one CA certificate where client certificates are required';
  return [{ pointer: '/client_ca_certificate_ids', code: 'required', message }];
};

/** Server names that a certificate answers for. Source: wire contract, Certificates, consumers, vaults. */
export const snis: Family = {
  name: 'snis',
  singular: 'sni',
  summary: 'SNIs: the server names that a certificate answers for',
  scope: 'gateway',
  access: { read: 'read', write: 'write' },
  fields: {
    name: v.pipe(
      certificateServerName,
      v.description(
        'Exact name, or *. and the rest of one, or * for every other name and for clients that name none; unique in the gateway',
      ),
    ),
    description: field.description,
    labels: field.labels,
    certificate_id: v.pipe(field.reference, v.description('What the gateway presents for this name')),
    client_certificate_mode: v.optional(
      v.pipe(
        v.picklist(clientCertificateModes, `must be one of ${clientCertificateModes.join(', ')}`),
        v.description(
          'What clients are asked for: nothing, a certificate that they may leave out, or one that client_ca_certificate_ids vouch for, without which the handshake fails',
        ),
      ),
      'none',
    ),
    client_ca_certificate_ids: field.textList(
      field.name,
      'Whom to trust for certificates of clients, by ID or name; nobody when empty',
    ),
  },
  readOnlyFields: {},
  rules: [authoritiesForRequired],
  references: [
    {
      field: 'certificate_id',
      family: 'certificates',
      nameField: 'certificate_name',
      nameScope: 'gateway',
      whenTargetIsDeleted: 'cascade',
    },
    {
      field: 'client_ca_certificate_ids',
      family: 'ca-certificates',
      many: true,
      nameScope: 'gateway',
      // Letting go could lock every client out, or leave a name without any authority; who deletes shall decide.
      whenTargetIsDeleted: 'restrict',
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
  bundle: { key: 'snis', level: 3, sets: ['client_ca_certificate_ids'] },
  deliveredToGateways: true,
};
