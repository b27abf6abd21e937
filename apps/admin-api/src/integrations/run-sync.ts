import { type AnyDriver, findDriver, IntegrationError } from '@portcullis/integrations';
import { familyNamed } from '@portcullis/resources';
import { traitsOf } from '../database/dialect-traits.ts';
import { Problem } from '../http/problem.ts';
import type { Actor } from '../resources/actor.ts';
import { notFoundIn } from '../resources/record-reader.ts';
import { toTimestamp } from '../resources/record-view.ts';
import { revealedBody } from '../resources/secret-values.ts';
import { isValues } from '../resources/values.ts';
import { inWriteSession } from '../resources/write-session.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import type { IntegrationOperationParts } from './integration-parts.ts';
import {
  beginRun,
  dropRun,
  endRun,
  integrationFamily,
  type IntegrationPlace,
  type SyncNote,
} from './integration-states.ts';
import type { SyncRates } from './sync-rates.ts';
import { failureOf, successOf, type SyncResult } from './sync-result.ts';

/** Time beyond a driver's own until a sync counts as lost: for the database, and for clocks of replicas that differ. */
const leaseMarginMs = 60_000;

const family = familyNamed(integrationFamily);

/** What a sync works with. */
export interface SyncParts extends IntegrationOperationParts {
  readonly rates: SyncRates;
}

/**
 * Syncs an integration, one sync at a time in all replicas. What came of it is kept and audited, also when the caller has gone meanwhile.
 * @throws Problem `invalid_state` where one is under way or the integration is disabled, `not_found` where it is deleted by the end,
 *   `rate_limited` where it was synced too often
 */
export async function runSync(parts: SyncParts, place: IntegrationPlace, actor: Actor): Promise<SyncResult> {
  const runId = parts.newId();
  const giveBack = parts.rates.take(place);
  const record = await begin(parts, place, actor, runId).catch((error: unknown) => {
    // Who asks while another one is under way must not use up what the next one needs.
    giveBack();
    throw error;
  });
  let isKept = false;
  try {
    const result = await look(parts, record);
    await keep(parts, record, actor, { id: runId, actor: actor.username, recordRevision: record.revision }, result);
    isKept = true;
    return result;
  } finally {
    // Otherwise the next one would have to wait until this one counts as lost. It can only be tried: it may be the database that failed.
    if (!isKept)
      await parts.database.transaction((transaction) => dropRun(transaction, place, runId)).catch(() => undefined);
  }
}

async function begin(
  parts: IntegrationOperationParts,
  { tenantId, id }: IntegrationPlace,
  { principal }: Actor,
  runId: string,
): Promise<StoredRecord> {
  return parts.database.transaction(async (transaction) => {
    const row = transaction
      .selectFrom('resources')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('family', '=', integrationFamily)
      .where('id', '=', id);
    // Who deletes the record meanwhile waits, and takes what is written here along.
    await traitsOf(transaction).lockRows(row, 'keep').execute();
    const record = await parts.reader.find(transaction, principal, family, { tenantId, gatewayId: null }, id);
    if (!record.enabled) throw new Problem('invalid_state', 'the integration is disabled');
    const leaseMs = driverOf(record).limits.timeoutMs + leaseMarginMs;
    const mayBegin = await beginRun(transaction, { tenantId, id }, { runId, nowMs: parts.nowMs(), leaseMs });
    if (!mayBegin) throw new Problem('invalid_state', 'a sync of the integration is under way');
    return record;
  });
}

/** What the driver sees, or why it sees nothing. */
async function look(parts: IntegrationOperationParts, record: StoredRecord): Promise<SyncResult> {
  const { syncs, nowMs, monotonicMs, shutdown } = parts;
  const driver = driverOf(record);
  const body = revealedBody(await parts.secrets.forTenant(record.tenantId), record);
  const beganMs = monotonicMs();
  const facts = () => ({
    driver: driver.name,
    duration_ms: Math.round(monotonicMs() - beganMs),
    synced_at: toTimestamp(nowMs()),
  });
  const { config, secrets } = body;
  try {
    const metadata = await driver.sync({
      config: config ?? {},
      secrets: isValues(secrets) ? secrets : {},
      fetch: syncs.fetch,
      environment: syncs.environment,
      clock: { nowMs },
      signal: shutdown,
    });
    syncs.metrics.ended(driver.name, 'success');
    return successOf(facts(), metadata);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    tell(parts, record, error);
    return failureOf(facts(), error);
  }
}

/** For the operator, who may know more than the tenant does. */
function tell(
  { syncs, log }: IntegrationOperationParts,
  { tenantId, id, body }: StoredRecord,
  error: IntegrationError,
) {
  const { code, metadata } = error;
  const driver = String(body['driver']);
  syncs.metrics.ended(driver, code);
  const facts = { tenant_id: tenantId, integration_id: id, driver, code };
  log.warn(
    { ...facts, request: metadata.request, http_status: metadata.http_status },
    'a sync of an integration failed',
  );
}

/** Keeps and audits a result. It is no change of the record: neither its revision nor the tenant's moves. */
async function keep(
  parts: IntegrationOperationParts,
  { tenantId, id }: StoredRecord,
  actor: Actor,
  note: SyncNote,
  result: SyncResult,
): Promise<void> {
  const { result: outcome } = await inWriteSession(parts, tenantId, actor, async (session) => {
    // Secrets were sent: the log has it also where the result is not kept.
    session.noteAct({ action: 'sync', entityType: family.singular, entityId: id, after: auditedResult(result) });
    return endRun(session.transaction, { tenantId, id }, note, result);
  });
  if (outcome === 'gone') throw notFoundIn(family, { tenantId, gatewayId: null });
  if (outcome === 'lost') throw new Problem('invalid_state', 'the sync took so long that another one has begun');
}

/** Without what the other system says of itself, which may be long. */
function auditedResult({ status, driver, error, metadata, duration_ms, synced_at }: SyncResult) {
  const httpStatus = metadata['http_status'];
  return {
    last_sync: {
      status,
      driver,
      ...(error && { error }),
      ...(typeof httpStatus === 'number' && { http_status: httpStatus }),
      duration_ms,
      synced_at,
    },
  };
}

/** @throws Problem for a driver that this release does not have */
function driverOf({ body }: StoredRecord): AnyDriver {
  const driver = findDriver(String(body['driver']));
  if (!driver) throw new Problem('invalid_state', 'this release has no such driver');
  return driver;
}
