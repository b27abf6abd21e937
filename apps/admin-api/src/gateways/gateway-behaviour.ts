import type { FamilyBehaviour } from '../resources/family-behaviour.ts';

/** Gateways get workspace metadata of their own at creation; it stays with them. Source: spec, Tenancy objects. */
export function createGatewayBehaviour(newId: () => string): FamilyBehaviour {
  return {
    async prepare({ values, stored }) {
      const workspace = stored?.body['workspace'] ?? { id: newId(), name: `${String(values['name'])}-workspace` };
      return { ok: true, body: { ...values, workspace } };
    },
  };
}
