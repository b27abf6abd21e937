import { allowSharedAnswers } from './ai/shared-answers.ts';
import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { createApp } from './app.ts';
import { createAuditTrail } from './audits/audit-trail.ts';
import { createCheckpoints } from './audits/checkpoints/create-checkpoints.ts';
import { pruneAudits, pruneEveryMs } from './audits/retention/prune-audits.ts';
import type { Config } from './config.ts';
import type { ConfigOperationParts } from './config/config-request.ts';
import type { Database } from './database/database.ts';
import { gatewayOfChange } from './data-planes/gateway-revision.ts';
import { claimDatabase } from './database/sqlite/claim-file.ts';
import { openDatabase } from './database/open-database.ts';
import type { SentAnswer } from './http/http-app.ts';
import { startHttpServer } from './http/http-server.ts';
import { createFirstAdministrator, type FirstAdministrator } from './identity/first-administrator.ts';
import { startHousekeeping } from './housekeeping.ts';
import { pruneIdempotencyKeys } from './idempotency/idempotency-keys.ts';
import { lastUseEveryMs } from './identity/last-use.ts';
import { rotationCheckEveryMs } from './identity/rotate-signing-keys.ts';
import { createPasswordHasher } from './identity/password-hasher.ts';
import { createIntegrationEgress, databaseAddressesEveryMs } from './integrations/integration-egress.ts';
import { createSyncMetrics } from './integrations/sync-metrics.ts';
import type { Log } from './logging.ts';
import { allowVariables } from './plugins/variable-references.ts';
import { createIngestMetrics } from './observability/ingest-metrics.ts';
import { createObservationPruning } from './observability/prune-observations.ts';
import { createSwaggerAssets } from './operations/adapters/swagger-assets.ts';
import { keyRingCheck } from './operations/key-ring-check.ts';
import { createServiceMetrics } from './operations/service-metrics.ts';
import { createRevisions } from './revisions/revisions.ts';
import { createResealTask, resealEveryMs } from './secrets/reseal-tenant-keys.ts';
import { freeDescriptions, freeDescriptionsEveryMs } from './sdk/api-descriptions.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { exposeSloMetrics } from './slos/slo-metrics.ts';
import { freeHistory, freeHistoryEveryMs } from './snapshots/free-history.ts';
import { createResourceStates } from './store/resource-states.ts';
import { createResourceStore } from './store/create-resource-store.ts';

/** The parts of the outside world that the service runs on. */
export interface ServiceSurroundings extends Pick<ConfigOperationParts, 'planInThread'> {
  readonly log: Log;
  readonly release: string;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  /** Sees every answer; for tests. */
  readonly onAnswer?: (answer: SentAnswer) => void;
  /** Opens the database in place of the standard; for tests whose database fails. */
  readonly openDatabase?: typeof openDatabase;
}

/** A service that answers. */
export interface RunningService {
  readonly url: string;
  /** The super administrator that this start made, if it made one. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Stops accepting, ends streams, finishes what runs, and closes the database. */
  stop(): Promise<void>;
}

/** How often old observations are deleted; each time a bounded number of them. */
const retentionEveryMs = 10_000;

/** How often old idempotency keys are deleted. */
const keysEveryMs = 60_000;

/** How long running requests may take to finish at a stop. The rest of ten seconds is for the database. */
const drainMs = 8_000;

/** Opens the database, makes what must be there, and serves. @throws a `ListenError`, or an error of the database or of secrets */
export async function startService(config: Config, surroundings: ServiceSurroundings): Promise<RunningService> {
  allowSharedAnswers(config.sharesAiAnswers === true);
  allowVariables(config.envAllow);
  const releaseClaim = claimDatabase(config.databaseUrl);
  let database: Database | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    releaseClaim();
  };
  try {
    const open = surroundings.openDatabase ?? openDatabase;
    database = await open({ url: config.databaseUrl, log: surroundings.log });
    return await serve(config, surroundings, database, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function serve(
  config: Config,
  surroundings: ServiceSurroundings,
  opened: Database,
  close: () => Promise<void>,
): Promise<RunningService> {
  const { log, nowMs } = surroundings;
  const clock = { nowMs };
  const shutdown = new AbortController();
  const metrics = createServiceMetrics();
  const trail = createAuditTrail({ ...surroundings, database: opened, registry: metrics.registry });
  const { database, audit } = trail;
  exposeSloMetrics({ database, registry: metrics.registry, log });
  const base = {
    database,
    store: createResourceStore(),
    audit,
    refusals: trail.refusals,
    auditChain: trail.chain,
    metrics,
    revisions: createRevisions({ clock, database, gatewayOf: gatewayOfChange }),
    hasher: createPasswordHasher(randomBytes),
    newId: uuidv7,
    nowMs,
  };
  const secrets = createSecretBox({ keyRing: config.keyRing, database, clock });
  const auditCheckpoints = await createCheckpoints({
    ...base,
    ...surroundings,
    secrets,
    randomBytes,
    given: config.auditKeys,
    settings: config.auditAnchors,
    registry: metrics.registry,
  });
  const { databaseUrl, allowedAddresses = [], refusedAddresses = [] } = config;
  const egress = await createIntegrationEgress({ databaseUrl, allowedAddresses, refusedAddresses });
  const app = createApp({
    ...base,
    ...surroundings,
    config,
    secrets,
    syncs: {
      fetch: egress.fetch,
      environment: config.driverEnvironment ?? {},
      metrics: createSyncMetrics(metrics.registry),
    },
    auditCheckpoints,
    writeHeaders: () => auditCheckpoints.headers(),
    states: createResourceStates(),
    assets: createSwaggerAssets(),
    ingestMetrics: createIngestMetrics(metrics.registry),
    checks: [keyRingCheck(database, config.keyRing, clock)],
    shutdown: shutdown.signal,
  });
  await app.identity.keys.signer();
  const firstAdministrator = await createFirstAdministrator({ ...base, random: randomBytes }, config.administrator);
  const server = await startHttpServer(app.http, config, {
    newId: uuidv7,
    onRefused: ({ code }, requestId) => log.info({ request_id: requestId, code }, 'refused what is no proper request'),
  });
  egress.refuseOwn(server.url);
  const pruning = createObservationPruning(database);
  const resealing = { database, keyRing: config.keyRing, randomBytes };
  const stopHousekeeping = startHousekeeping(
    [
      { name: 'last_uses', everyMs: lastUseEveryMs, run: () => app.identity.lastUse.flush(), atStop: true },
      { name: 'signing_keys', everyMs: rotationCheckEveryMs, run: () => app.identity.rotateAgedKeys() },
      { name: 'retention', everyMs: retentionEveryMs, run: () => pruning.run(nowMs()) },
      { name: 'secret_keys', everyMs: resealEveryMs, run: createResealTask(resealing, log) },
      { name: 'history', everyMs: freeHistoryEveryMs, run: () => freeHistory(database) },
      { name: 'api_descriptions', everyMs: freeDescriptionsEveryMs, run: () => freeDescriptions(database, nowMs()) },
      ...trail.tasks,
      // After the chain, whose last records it signs.
      ...auditCheckpoints.tasks,
      { name: 'audit_retention', everyMs: pruneEveryMs, run: () => pruneAudits(base, nowMs()) },
      { name: 'database_addresses', everyMs: databaseAddressesEveryMs, run: () => egress.learn() },
      { name: 'idempotency_keys', everyMs: keysEveryMs, run: () => pruneIdempotencyKeys(database, nowMs()) },
    ],
    log,
  );
  return {
    url: server.url,
    firstAdministrator,
    async stop() {
      shutdown.abort();
      await server.stop(drainMs);
      await egress.close();
      await stopHousekeeping();
      await close();
    },
  };
}
