import type { SyncFetch } from '@portcullis/integrations';
import { familyNamed } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import type { OperationInput } from '../http/operation.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import type { RecordReader } from '../resources/record-reader.ts';
import type { Log } from '../logging.ts';
import { isValues } from '../resources/values.ts';
import type { WriteSessionParts } from '../resources/write-session.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { integrationFamily } from './integration-states.ts';
import type { SyncMetrics } from './sync-metrics.ts';

/** What syncs need of the outside world. */
export interface SyncSurroundings {
  /** The way out, which judges addresses. */
  readonly fetch: SyncFetch;
  /** Variables of the operator that drivers read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly metrics: SyncMetrics;
}

/** What the operations of integrations work with. */
export interface IntegrationOperationParts extends WriteSessionParts {
  readonly store: ResourceStore;
  readonly reader: RecordReader;
  readonly scope: TenantScope;
  readonly secrets: SecretBox;
  readonly syncs: SyncSurroundings;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  /** Ends syncs that are under way. */
  readonly shutdown: AbortSignal;
}

/** Tag of the operations in the API description: that of the family. */
export const integrationTag: string = integrationFamily;

/** The tenant that an operation is about. @throws Problem. Source: spec, Authentication, 4 to 7 */
export function tenantOf(parts: Pick<IntegrationOperationParts, 'scope'>, input: OperationInput): Promise<string> {
  return parts.scope.resolve({
    principal: input.principal,
    inQuery: input.query['tenant_id'],
    inBody: isValues(input.body) ? input.body['tenant_id'] : undefined,
    isWrite: input.request.method === 'POST',
  });
}

/** The integration that the path names, by ID or name. @throws Problem `not_found` */
export function integrationInPath(
  { reader }: Pick<IntegrationOperationParts, 'reader'>,
  input: OperationInput,
  tenantId: string,
  executor: Executor,
): Promise<StoredRecord> {
  const idOrName = input.path['integration_id'] ?? '';
  return reader.find(
    executor,
    input.principal,
    familyNamed(integrationFamily),
    { tenantId, gatewayId: null },
    idOrName,
  );
}
