import type { Operation } from '../http/operation.ts';
import { driversOperation } from './drivers-operation.ts';
import type { IntegrationOperationParts } from './integration-parts.ts';
import { listSyncsOperation } from './list-syncs-operation.ts';
import { syncOperation } from './sync-operation.ts';

/** What can be done with integrations beside what every family offers. Source: wire contract, integrations. */
export function integrationOperations(parts: IntegrationOperationParts): Operation[] {
  return [driversOperation(), syncOperation(parts), listSyncsOperation(parts)];
}
