import type { Database } from '../database/database.ts';
import type { OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { DataPlanePrincipal } from '../identity/principal.ts';
import { createUserDirectory } from '../identity/user-directory.ts';
import type { ObservationIngest } from '../observability/observation-ingest.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import type { ConfigurationImages } from './configuration-images.ts';

/** What the node endpoints work with. */
export interface DataPlaneOperationParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly states: ResourceStates;
  readonly images: ConfigurationImages;
  readonly ingest: ObservationIngest;
  readonly nowMs: () => number;
  /** Fires when the service shuts down, so that open streams end. */
  readonly shutdown: AbortSignal;
}

/** Where the node endpoints are. */
export const dataPlaneBase = '/api/v1/data-plane';

/** Their tag in the API description. */
export const dataPlaneTag = 'data plane protocol';

/** The node that calls. */
export function nodeOf(input: OperationInput): DataPlanePrincipal {
  if (input.principal.kind !== 'data_plane') throw new Problem('unauthenticated', 'The credential is not valid');
  return input.principal;
}

/** Asks whether the calling node's token is still good; for requests that stay open. */
export function knownNode({ database, store }: DataPlaneOperationParts, input: OperationInput): () => Promise<boolean> {
  const { id, tenantId } = nodeOf(input);
  const users = createUserDirectory(database, store);
  return async () => {
    const [node, isTenantActive] = await Promise.all([
      store.get(database.read, tenantId, 'data-planes', id),
      users.isTenantActive(tenantId),
    ]);
    return node?.enabled === true && isTenantActive;
  };
}
