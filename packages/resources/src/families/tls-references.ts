import * as v from 'valibot';
import type { FamilyReference } from '../family.ts';
import * as field from '../fields.ts';

/**
 * What a gateway presents to an upstream that asks for a certificate. Services and upstreams may both say it; a service's
 * wins. Source: wire contract, Gateways, services, routes; Upstreams, targets, health.
 */
export const clientCertificate: { readonly field: v.GenericSchema; readonly reference: FamilyReference } = {
  field: v.optional(v.pipe(field.reference, v.description('Certificate that the gateway presents to the upstream'))),
  reference: {
    field: 'client_certificate_id',
    family: 'certificates',
    nameField: 'client_certificate_name',
    nameScope: 'gateway',
    whenTargetIsDeleted: 'restrict',
  },
};
