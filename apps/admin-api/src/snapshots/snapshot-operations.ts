import { listedResults } from '../config/listed-max.ts';
import { checkAccess, mayCall } from '../http/access.ts';
import { CallerPlaces } from '../http/caller-places.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { pageParameters, tenantIdParameter } from '../http/query-parameters.ts';
import type { TenantScope } from '../identity/tenant-scope.ts';
import { actorOf } from '../resources/actor.ts';
import { pageHeaders } from '../resources/list-query.ts';
import { isValues } from '../resources/values.ts';
import { inWriteSession } from '../resources/write-session.ts';
import { findSnapshot, listSnapshots } from './find-snapshots.ts';
import { removeSnapshots } from './remove-snapshots.ts';
import { resultsOf, rollBack } from './roll-back.ts';
import type { RollbackParts } from './roll-back.ts';
import { withoutContents } from './rollback-diff.ts';
import type { RollbackMode } from './rollback-plan.ts';
import {
  rollbackRequestSchema,
  rollbackSchema,
  snapshotListSchema,
  snapshotRequestSchema,
  snapshotSchema,
} from './snapshot-schemas.ts';
import { snapshotView } from './snapshot-view.ts';
import { takeSnapshot } from './take-snapshot.ts';

/** What the snapshot endpoints work with. */
export interface SnapshotOperationParts extends RollbackParts {
  readonly scope: TenantScope;
  /** A clock that never goes back, in milliseconds. */
  readonly monotonicMs: () => number;
}

const tag = 'configuration';
const collectionPath = '/admin/config/snapshots';
const recordPath = `${collectionPath}/{snapshot_id}`;

/** Rollbacks that write at once, one of a tenant: also a dry run holds what a write holds, for as long. */
const rollbackPlaces = { runningMax: 2, waitingMax: 16, waitingPerCallerMax: 2 };
const retryAfterSeconds = 5;

/** Snapshots of a tenant's configuration, and the way back to one. Source: wire contract, Configuration operations. */
export function snapshotOperations(parts: SnapshotOperationParts): Operation[] {
  return [list(parts), create(parts), read(parts), remove(parts), rollback(parts)];
}

function list(parts: SnapshotOperationParts): Operation {
  return {
    id: 'listConfigSnapshots',
    method: 'GET',
    paths: [collectionPath],
    tag,
    summary: 'Snapshots of the configuration, newest first',
    access: 'read',
    query: [tenantIdParameter, ...pageParameters],
    responses: [
      {
        status: 200,
        description: 'A page of snapshots',
        schema: snapshotListSchema,
        headers: ['x-total-count', 'link'],
      },
    ],
    async handler(input) {
      const page = { skip: Number(input.query['skip']), limit: Number(input.query['limit']) };
      const { rows, total } = await listSnapshots(parts.database.read, await tenantOf(parts, input, false), page);
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: { items: rows.map(snapshotView), total, ...page },
      };
    },
  };
}

function create(parts: SnapshotOperationParts): Operation {
  return {
    id: 'createConfigSnapshot',
    method: 'POST',
    paths: [collectionPath],
    tag,
    summary: 'Takes a snapshot of the configuration as it is',
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: snapshotRequestSchema, optional: true },
    responses: [{ status: 201, description: 'The snapshot', schema: snapshotSchema }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input, true);
      const actor = actorOf(input.principal, input.request);
      const { note, created_by: createdBy } = fieldsOf(input);
      const request = {
        reason: 'manual',
        note: textOf(note) ?? null,
        createdBy: textOf(createdBy) ?? actor.username,
      } as const;
      const { result } = await inWriteSession(parts, tenantId, actor, (session) =>
        takeSnapshot(parts, session, request),
      );
      return { status: 201, body: result };
    },
  };
}

function read(parts: SnapshotOperationParts): Operation {
  return {
    id: 'getConfigSnapshot',
    method: 'GET',
    paths: [recordPath],
    tag,
    summary: 'One snapshot; a dry run of its rollback shows how it differs from what is live',
    access: 'read',
    query: [tenantIdParameter],
    responses: [{ status: 200, description: 'The snapshot', schema: snapshotSchema }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input, false);
      return { status: 200, body: snapshotView(await findSnapshot(parts.database.read, tenantId, idOf(input))) };
    },
  };
}

function remove(parts: SnapshotOperationParts): Operation {
  return {
    id: 'deleteConfigSnapshot',
    method: 'DELETE',
    paths: [recordPath],
    tag,
    summary: 'Forgets a snapshot; what only it needs is freed soon after',
    access: 'write',
    query: [tenantIdParameter],
    responses: [{ status: 204, description: 'Deleted' }],
    async handler(input) {
      const tenantId = await tenantOf(parts, input, true);
      await inWriteSession(parts, tenantId, actorOf(input.principal, input.request), async (session) =>
        removeSnapshots(session, [await findSnapshot(session.transaction, tenantId, idOf(input))]),
      );
      return { status: 204 };
    },
  };
}

function rollback(parts: SnapshotOperationParts): Operation {
  const turns = new CallerPlaces({ ...rollbackPlaces, refusal: refused });
  return {
    id: 'rollBackConfig',
    method: 'POST',
    paths: [`${recordPath}/rollback`],
    tag,
    summary: 'Sets the configuration back to a snapshot, in one transaction; what was there before is a snapshot too',
    access: 'write',
    query: [tenantIdParameter],
    body: { schema: rollbackRequestSchema, optional: true },
    responses: [
      { status: 200, description: 'What was done, or would be', schema: rollbackSchema },
      { status: 429, description: 'Too many rollbacks of this tenant at once' },
    ],
    async handler(input) {
      const startedMs = parts.monotonicMs();
      const tenantId = await tenantOf(parts, input, true);
      const { mode, dry_run: dryRun, note } = fieldsOf(input);
      const reading = { access: 'read', method: 'POST' } as const;
      // It writes nothing, and shows what is there.
      if (dryRun === true) checkAccess(input.principal, reading);
      const request = {
        tenantId,
        snapshotId: idOf(input),
        mode: (mode ?? 'restore') as RollbackMode,
        dryRun: dryRun === true,
        note: textOf(note) ?? null,
        actor: actorOf(input.principal, input.request),
      };
      const { plan, diff, counts, snapshot, revision } = await turns.run(tenantId, () => rollBack(parts, request));
      const { create: created, update: updated, delete: deleted, unchanged } = diff.summary;
      const done = request.dryRun
        ? { created: 0, updated: 0, deleted: 0, unchanged }
        : { created, updated, deleted, unchanged };
      return {
        status: 200,
        body: {
          status: request.dryRun ? 'dry_run' : 'success',
          dry_run: request.dryRun,
          mode: request.mode,
          validation: { valid: true, errors: [], warnings: [], counts },
          diff: mayCall(input.principal, reading) ? diff : withoutContents(diff),
          counts: { ...done, skipped: 0, failed: 0 },
          ...listedResults(request.dryRun ? [] : resultsOf(plan)),
          snapshot,
          revision,
          duration_ms: Math.round(parts.monotonicMs() - startedMs),
        },
      };
    },
  };
}

function refused(tooMany: 'of_caller' | 'in_all'): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return tooMany === 'of_caller'
    ? new Problem('rate_limited', 'Too many rollbacks of this tenant at once', { headers })
    : new Problem('unavailable', 'Too many rollbacks at once', { headers });
}

function fieldsOf(input: OperationInput): Readonly<Record<string, unknown>> {
  return isValues(input.body) ? input.body : {};
}

function tenantOf(parts: SnapshotOperationParts, input: OperationInput, isWrite: boolean): Promise<string> {
  const inBody = fieldsOf(input)['tenant_id'];
  return parts.scope.resolve({ principal: input.principal, inQuery: input.query['tenant_id'], inBody, isWrite });
}

function idOf(input: OperationInput): string {
  return input.path['snapshot_id'] ?? '';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
