import type { AuditCheckpoints } from './audits/checkpoints/create-checkpoints.ts';
import { auditOperations } from './audits/operations/audit-operations.ts';
import type { AuditTrail } from './audits/operations/audit-parts.ts';
import { aiRecordBehaviour } from './ai/ai-record-behaviour.ts';
import { explainAiOperation } from './ai/explain-operation.ts';
import type { AuditPort } from './audits/audit-port.ts';
import type { AuditDrain } from './audits/operations/chain-port.ts';
import { caCertificateBehaviour } from './certificates/ca-certificate-behaviour.ts';
import { createCertificateBehaviour } from './certificates/certificate-behaviour.ts';
import { configOperations } from './config/config-operations.ts';
import type { ConfigOperationParts } from './config/config-request.ts';
import { consumerBehaviour } from './consumers/consumer-behaviour.ts';
import { createCredentialBehaviour } from './consumers/credential-behaviour.ts';
import { createConfigurationImages } from './data-planes/configuration-images.ts';
import { createDataPlaneBehaviour } from './data-planes/data-plane-behaviour.ts';
import { dataPlaneOperations } from './data-planes/data-plane-operations.ts';
import type { Database } from './database/database.ts';
import { createGatewayBehaviour } from './gateways/gateway-behaviour.ts';
import { gatewayOperations } from './gateways/gateway-operations.ts';
import type { Operation } from './http/operation.ts';
import { integrationBehaviour } from './integrations/integration-behaviour.ts';
import { integrationOperations } from './integrations/integration-operations.ts';
import type { SyncSurroundings } from './integrations/integration-parts.ts';
import type { PasswordHasher } from './identity/password-hasher.ts';
import type { Principal } from './identity/principal.ts';
import type { TenantScope } from './identity/tenant-scope.ts';
import { observabilityOperations } from './observability/observability-operations.ts';
import type { IngestMetrics } from './observability/ingest-metrics.ts';
import { createObservationIngest } from './observability/observation-ingest.ts';
import { createPluginBehaviour, createRouteBehaviour } from './plugins/plugin-behaviour.ts';
import { createPluginPackageBehaviour } from './plugins/plugin-package-behaviour.ts';
import { pluginPackageOperations } from './plugins/plugin-package-operations.ts';
import { SchemaThreads } from './plugins/schema-threads.ts';
import type { FamilyBehaviour } from './resources/family-behaviour.ts';
import { createRecordReader } from './resources/record-reader.ts';
import { createRecordWriter } from './resources/record-writer.ts';
import { resourceOperations } from './resources/resource-operations.ts';
import { createTenantOf } from './resources/tenant-of.ts';
import type { Log } from './logging.ts';
import type { RevisionPort } from './revisions/revision-port.ts';
import { routeMatchOperation } from './route-match/match-operation.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { DescriptionThreads } from './sdk/description-threads.ts';
import { exportSdkOperation } from './sdk/export-operation.ts';
import { createVersionBehaviour } from './sdk/version-behaviour.ts';
import { serviceBehaviour } from './services/service-behaviour.ts';
import { createSloBehaviour } from './slos/slo-behaviour.ts';
import { sloOperations } from './slos/slo-operations.ts';
import { snapshotOperations } from './snapshots/snapshot-operations.ts';
import type { ResourceStates } from './store/resource-states.ts';
import type { ResourceStore } from './store/resource-store.ts';
import { createTargetBehaviour } from './targets/target-behaviour.ts';
import { upstreamHealthOperation } from './targets/upstream-health-operation.ts';
import { createTenantBehaviour } from './tenancy/tenant-behaviour.ts';
import { currentTenantOperation } from './tenancy/current-tenant.ts';
import { tenantStatusOperations } from './tenancy/tenant-status-operations.ts';
import { createApiTokenBehaviour } from './tokens/api-token-behaviour.ts';
import { createUserBehaviour } from './users/user-behaviour.ts';
import { cacheStoreBehaviour } from './vaults/cache-store-behaviour.ts';
import { vaultBehaviour } from './vaults/vault-behaviour.ts';

/** What the capabilities are made of. */
export interface CapabilityParts extends Pick<ConfigOperationParts, 'planInThread'> {
  readonly release: string;
  readonly log: Log;
  readonly database: Database;
  readonly store: ResourceStore;
  readonly states: ResourceStates;
  readonly audit: AuditPort;
  /** Lets readers of the audit log wait for what is on its way. */
  readonly auditChain: AuditDrain;
  readonly auditCheckpoints: Pick<AuditCheckpoints, 'checkpointer' | 'signer'>;
  readonly revisions: RevisionPort;
  readonly secrets: SecretBox;
  /** What syncs of integrations need of the outside world. */
  readonly syncs: SyncSurroundings;
  readonly hasher: PasswordHasher;
  readonly scope: TenantScope;
  /** Whose bearer token this is; for streams, which ask again. */
  readonly authenticate: (bearerToken: string) => Promise<Principal | undefined>;
  /** Takes down what the ingest of observations did. */
  readonly ingestMetrics?: IngestMetrics;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly newId: () => string;
  /** Fires when the service begins to stop; open streams end with it. */
  readonly shutdown: AbortSignal;
}

/** The operations of everything that the control plane administers. */
export function capabilityOperations(parts: CapabilityParts): Operation[] {
  const { database, store, states, scope, nowMs } = parts;
  const threads = new DescriptionThreads();
  parts.shutdown.addEventListener('abort', () => void threads.close(), { once: true });
  const behaviours = familyBehaviours(parts, threads);
  const reader = createRecordReader(store, behaviours);
  const writer = createRecordWriter({ ...parts, behaviours });
  const tenantOf = createTenantOf(scope);
  return [
    currentTenantOperation({ database, reader, scope }),
    ...tenantStatusOperations({ ...parts, reader }),
    ...resourceOperations({ ...parts, reader, writer, tenantOf }),
    upstreamHealthOperation({ ...parts, reader, writer, tenantOf }),
    ...gatewayOperations({ ...parts, reader, writer, tenantOf }),
    routeMatchOperation({ ...parts, reader, writer, tenantOf }),
    explainAiOperation({ ...parts, reader, writer, tenantOf }),
    exportSdkOperation({ ...parts, reader, tenantOf, threads }),
    ...pluginPackageOperations({ ...parts, reader, writer, tenantOf }),
    ...configOperations({ ...parts, writer, behaviours }),
    ...snapshotOperations({ ...parts, behaviours }),
    ...dataPlaneOperations({
      ...parts,
      states,
      images: createConfigurationImages(parts),
      ingest: createObservationIngest(database, nowMs, parts.log, parts.ingestMetrics),
    }),
    ...auditOperations({ ...parts, trail: auditTrailOf(parts) }),
    ...sloOperations({ ...parts, reader }),
    ...integrationOperations({ ...parts, reader }),
    ...observabilityOperations(parts),
  ];
}

function auditTrailOf({ auditChain, auditCheckpoints: { checkpointer, signer } }: CapabilityParts): AuditTrail {
  return { drain: () => auditChain.drain(), checkpointer, signer };
}

/** What is special about single families. A family that is not named here has nothing special. */
function familyBehaviours(parts: CapabilityParts, threads: DescriptionThreads): ReadonlyMap<string, FamilyBehaviour> {
  const schemas = new SchemaThreads();
  parts.shutdown.addEventListener('abort', () => void schemas.close(), { once: true });
  return new Map<string, FamilyBehaviour>([
    ['tenants', createTenantBehaviour(parts.store, parts.nowMs)],
    ['users', createUserBehaviour(parts.hasher, parts.store)],
    ['api-tokens', createApiTokenBehaviour(parts.store, parts.states)],
    ['gateways', createGatewayBehaviour(parts.newId)],
    ['certificates', createCertificateBehaviour(parts.nowMs)],
    ['ca-certificates', caCertificateBehaviour],
    ['services', serviceBehaviour],
    ['service-versions', createVersionBehaviour({ threads, nowMs: parts.nowMs })],
    ['targets', createTargetBehaviour(parts.nowMs)],
    ['routes', createRouteBehaviour(parts.store, schemas)],
    ['plugins', createPluginBehaviour(parts.store, schemas)],
    ['plugin-packages', createPluginPackageBehaviour(parts.nowMs(), schemas)],
    ['consumers', consumerBehaviour],
    ['consumer-credentials', createCredentialBehaviour(parts.hasher, parts.states)],
    ['vaults', vaultBehaviour],
    ['cache-store-configs', cacheStoreBehaviour],
    ['ai-records', aiRecordBehaviour],
    ['slos', createSloBehaviour(parts)],
    ['integrations', integrationBehaviour],
    ['data-planes', createDataPlaneBehaviour({ ...parts, releaseVersion: parts.release })],
  ]);
}
