import { configurationAck, heartbeat, observationBatch } from '@portcullis/resources';
import type { ConfigurationAck, Heartbeat, ObservationBatch } from '@portcullis/resources';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import type { DataPlanePrincipal } from '../identity/principal.ts';
import { createUserDirectory } from '../identity/user-directory.ts';
import type { ObservationIngest } from '../observability/observation-ingest.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { ResourceStates } from '../store/resource-states.ts';
import type { ConfigurationCache } from './configuration-cache.ts';
import type { DataPlaneState } from './data-plane-state.ts';
import { revisionStream } from './revision-stream.ts';

/** What the node endpoints work with. */
export interface DataPlaneOperationParts {
  readonly database: Database;
  readonly store: ResourceStore;
  readonly states: ResourceStates;
  readonly configurations: ConfigurationCache;
  readonly ingest: ObservationIngest;
  readonly nowMs: () => number;
  /** Fires when the service shuts down, so that open streams end. */
  readonly shutdown: AbortSignal;
}

const base = '/api/v1/data-plane';
const batchBytesMax = 16 * 1024 * 1024;
const tag = 'data plane protocol';

/** What gateway processes call. A node sees only its own gateway's configuration. Source: wire contract, Data planes. */
export function dataPlaneOperations(parts: DataPlaneOperationParts): Operation[] {
  return [
    configOperation(parts),
    streamOperation(parts),
    ackOperation(parts),
    heartbeatOperation(parts),
    ingestOperation(parts),
  ];
}

function configOperation({ configurations }: DataPlaneOperationParts): Operation {
  return {
    id: 'getDataPlaneConfiguration',
    method: 'GET',
    paths: [`${base}/config`],
    tag,
    summary: "The gateway's configuration, whole; 304 when the node has it",
    access: 'data_plane',
    query: [
      {
        name: 'since',
        description: 'The revision that the node serves',
        schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
      },
    ],
    responses: [
      {
        status: 200,
        description: 'The configuration',
        schema: v.pipe(v.looseObject({}), v.title('ConfigurationDocument')),
        headers: ['etag'],
      },
      { status: 304, description: 'The node has this configuration', headers: ['etag'] },
      { status: 404, description: 'The gateway is gone' },
    ],
    async handler(input) {
      const { tenantId, gatewayId } = nodeOf(input);
      const configuration = await configurations.get(tenantId, gatewayId);
      if (!configuration) throw new Problem('not_found', 'gateway not found');
      const headers = { etag: `"${configuration.hash}"`, 'x-config-revision': String(configuration.revision) };
      const has = input.request.header('if-none-match') === headers.etag;
      const isCurrent = has && Number(input.query['since'] ?? -1) >= configuration.revision;
      if (isCurrent) return { status: 304, headers };
      return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, stream: configuration.text };
    },
  };
}

/** Open streams of one data plane. A node has one, and a second while it reconnects. */
const streamsPerNodeMax = 8;

function streamOperation({ database, store, shutdown }: DataPlaneOperationParts): Operation {
  const open = new Map<string, number>();
  const count = (key: string, change: 1 | -1): void => {
    const left = (open.get(key) ?? 0) + change;
    if (left > 0) open.set(key, left);
    else open.delete(key);
  };
  return {
    id: 'streamDataPlaneRevisions',
    method: 'GET',
    paths: [`${base}/stream`],
    tag,
    summary: 'Server-sent events: the revision that the node should serve',
    access: 'data_plane',
    responses: [
      { status: 200, description: 'Events `revision`', mediaType: 'text/event-stream' },
      { status: 429, description: 'The node has too many open streams' },
    ],
    async handler(input) {
      const { id, tenantId, gatewayId } = nodeOf(input);
      const key = `${tenantId}/${id}`;
      if ((open.get(key) ?? 0) >= streamsPerNodeMax) {
        throw new Problem('rate_limited', `a data plane may have ${streamsPerNodeMax} open streams`, {
          headers: { 'retry-after': '10' },
        });
      }
      count(key, 1);
      const signal = AbortSignal.any([input.request.signal, shutdown]);
      const users = createUserDirectory(database, store);
      const isKnown = async (): Promise<boolean> =>
        (await store.get(database.read, tenantId, 'data-planes', id))?.enabled === true &&
        (await users.isTenantActive(tenantId));
      const stream = revisionStream(database, { tenantId, gatewayId, isKnown, signal, onEnd: () => count(key, -1) });
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, stream };
    },
  };
}

function ackOperation(parts: DataPlaneOperationParts): Operation {
  return {
    id: 'acknowledgeConfiguration',
    method: 'POST',
    paths: [`${base}/ack`],
    tag,
    summary: 'The node serves a configuration, or says why not',
    access: 'data_plane',
    body: { schema: configurationAck, gzip: true },
    responses: [{ status: 202, description: 'Noted' }],
    async handler(input) {
      const ack = input.body as ConfigurationAck;
      const nowMs = parts.nowMs();
      await note(
        parts,
        input,
        ack.status === 'applied'
          ? {
              config_revision: ack.revision,
              config_hash: ack.hash,
              last_applied_ms: nowMs,
              last_seen_ms: nowMs,
              last_error: firstErrors(ack),
            }
          : { rejected_revision: ack.revision, last_seen_ms: nowMs, last_error: firstErrors(ack) },
      );
      return { status: 202 };
    },
  };
}

function heartbeatOperation(parts: DataPlaneOperationParts): Operation {
  return {
    id: 'sendHeartbeat',
    method: 'POST',
    paths: [`${base}/heartbeat`],
    tag,
    summary: 'The node lives, and how it stands',
    access: 'data_plane',
    body: { schema: heartbeat, gzip: true },
    responses: [{ status: 202, description: 'Noted' }],
    async handler(input) {
      const sent = input.body as Heartbeat;
      await note(parts, input, {
        hostname: sent.hostname,
        ip: input.request.sourceIp,
        version: sent.version,
        plugin_versions: sent.plugin_versions,
        last_seen_ms: parts.nowMs(),
        ...(sent.revision !== undefined && { config_revision: sent.revision }),
        ...(sent.hash !== undefined && { config_hash: sent.hash }),
      });
      return { status: 202 };
    },
  };
}

function ingestOperation({ ingest }: DataPlaneOperationParts): Operation {
  return {
    id: 'reportObservations',
    method: 'POST',
    paths: [`${base}/observations`],
    tag,
    summary: 'Counters and records of requests; a batch sent again is counted once',
    access: 'data_plane',
    body: { schema: observationBatch, gzip: true, bytesMax: batchBytesMax },
    responses: [{ status: 202, description: 'Counted' }],
    async handler(input) {
      await ingest(nodeOf(input), input.body as ObservationBatch);
      return { status: 202 };
    },
  };
}

function note(parts: DataPlaneOperationParts, input: OperationInput, fields: DataPlaneState): Promise<void> {
  const node = nodeOf(input);
  return parts.database.transaction((transaction) =>
    parts.states.merge(transaction, node.tenantId, 'data-planes', node.id, fields, parts.nowMs()),
  );
}

/** Mistakes that a node's answer shows; the rest is in the node's log. */
const shownErrorsMax = 5;

/** Of a refused configuration why, of an applied one what it leaves out; empty without a mistake. */
function firstErrors(ack: ConfigurationAck): string {
  const shown = ack.errors.slice(0, shownErrorsMax).map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  const rest = ack.errors.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
}

function nodeOf(input: OperationInput): DataPlanePrincipal {
  if (input.principal.kind !== 'data_plane') throw new Problem('unauthenticated', 'The credential is not valid');
  return input.principal;
}
