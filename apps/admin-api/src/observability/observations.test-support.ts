import { observationBatch } from '@portcullis/resources';
import type { MinuteCounter, ObservationBatch, RequestRecord } from '@portcullis/resources';
import type { KyselyPlugin } from 'kysely';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { DataPlanePrincipal } from '../identity/principal.ts';

/** The time at which the tests' batches arrive. */
export const nowMs: number = Date.UTC(2026, 5, 1, 12, 0, 30);
/** Its minute. */
export const minute: number = Math.floor(nowMs / 60_000);

/** A node of a tenant's gateway `g`. */
export function nodeOf(tenantId: string, id = 'node'): DataPlanePrincipal {
  return { kind: 'data_plane', id, tenantId, gatewayId: 'g' };
}

/** A record with an ID. */
export function record(id: string, fields: Partial<RequestRecord> = {}): RequestRecord {
  return {
    id,
    request_id: id,
    occurred_at_ms: nowMs,
    method: 'GET',
    path: '/a',
    status: 200,
    status_source: 'upstream',
    latency_us: 1500,
    gateway_latency_us: 300,
    request_bytes: 0,
    response_bytes: 10,
    client_ip: '127.0.0.1',
    plugins: [],
    ...fields,
  };
}

/** Three requests of one route and minute. */
export const counter: MinuteCounter = {
  minute,
  route_id: 'r',
  service_id: 's',
  requests: 3,
  errors_4xx: 1,
  errors_5xx: 1,
  latency_sum_us: 6000,
  request_bytes: 30,
  response_bytes: 60,
  statuses: [
    [200, 1],
    [404, 1],
    [503, 1],
  ],
  histogram: [
    [100, 2],
    [500, 1],
  ],
  over: [],
};

/** A batch that the schema admits, with one counter and no records unless others are given. */
export function batch(sequence: number, fields: Partial<ObservationBatch> = {}): ObservationBatch {
  return v.parse(observationBatch, {
    boot_id: '7f0c1d2e-0000-4000-8000-000000000001',
    sequence,
    dropped_records: 0,
    counters: [counter],
    records: [],
    ...fields,
  });
}

/** What a database was asked. */
export interface StatementLog {
  statements: number;
  /** Most rows that one statement changed. */
  changedMax: number;
  /** Most rows that one statement gave. */
  rowsMax: number;
  /** Rows that all statements gave. */
  rowsAll: number;
}

/** A database that keeps account of its statements. */
export function watched(database: Database): { readonly database: Database; readonly log: StatementLog } {
  const log: StatementLog = { statements: 0, changedMax: 0, rowsMax: 0, rowsAll: 0 };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      log.statements += 1;
      return node;
    },
    async transformResult({ result }) {
      log.changedMax = Math.max(log.changedMax, Number(result.numAffectedRows ?? 0));
      log.rowsMax = Math.max(log.rowsMax, result.rows.length);
      log.rowsAll += result.rows.length;
      return result;
    },
  };
  const transaction: Database['transaction'] = (work) =>
    database.transaction((inner) => work(inner.withPlugin(plugin)));
  return { database: { ...database, read: database.read.withPlugin(plugin), transaction }, log };
}
