import { configurationAck, heartbeat, heartbeatLimits, observationBatch } from '@portcullis/resources';
import type { ConfigurationAck, Heartbeat } from '@portcullis/resources';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { configOperation } from './configuration-operation.ts';
import { dataPlaneBase, dataPlaneTag, knownNode, nodeOf, type DataPlaneOperationParts } from './data-plane-parts.ts';
import { skewOf, type DataPlaneState } from './data-plane-state.ts';
import { checkedBatch } from '../observability/checked-batch.ts';
import { storeTargetReport } from '../targets/target-reports.ts';
import { revisionStream } from './revision-stream.ts';

const batchBytesMax = 16 * 1024 * 1024;

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

/** Open streams of one data plane. A node has one, and a second while it reconnects. */
const streamsPerNodeMax = 8;

function streamOperation(parts: DataPlaneOperationParts): Operation {
  const { database, images, shutdown } = parts;
  const open = new Map<string, number>();
  const count = (key: string, change: 1 | -1): void => {
    const left = (open.get(key) ?? 0) + change;
    if (left > 0) open.set(key, left);
    else open.delete(key);
  };
  return {
    id: 'streamDataPlaneRevisions',
    method: 'GET',
    paths: [`${dataPlaneBase}/stream`],
    tag: dataPlaneTag,
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
      const isKnown = knownNode(parts, input);
      const stream = revisionStream(database, {
        tenantId,
        gatewayId,
        isKnown,
        signal,
        // The image moves on while the news travel. What goes wrong shows when the node asks.
        onTold: () => void images.get(tenantId, gatewayId).catch(() => undefined),
        onEnd: () => count(key, -1),
      });
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, stream };
    },
  };
}

function ackOperation(parts: DataPlaneOperationParts): Operation {
  return {
    id: 'acknowledgeConfiguration',
    method: 'POST',
    paths: [`${dataPlaneBase}/ack`],
    tag: dataPlaneTag,
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
              skew: skewOf(ack),
            }
          : { rejected_revision: ack.revision, last_seen_ms: nowMs, last_error: firstErrors(ack), skew: skewOf(ack) },
      );
      return { status: 202 };
    },
  };
}

function heartbeatOperation(parts: DataPlaneOperationParts): Operation {
  return {
    id: 'sendHeartbeat',
    method: 'POST',
    paths: [`${dataPlaneBase}/heartbeat`],
    tag: dataPlaneTag,
    summary: 'The node lives, and how it stands',
    access: 'data_plane',
    body: { schema: heartbeat, gzip: true, bytesMax: heartbeatLimits.bytesMax },
    responses: [{ status: 202, description: 'Noted' }],
    async handler(input) {
      const sent = input.body as Heartbeat;
      const node = nodeOf(input);
      const nowMs = parts.nowMs();
      const fields: DataPlaneState = {
        hostname: sent.hostname,
        ip: input.request.sourceIp,
        version: sent.version,
        plugin_versions: sent.plugin_versions,
        last_seen_ms: nowMs,
        // A node that tells of no circuits is not one whose circuits are closed, but neither are they known to be open.
        circuits: sent.circuits ?? [],
        ...(sent.revision !== undefined && { config_revision: sent.revision }),
        ...(sent.hash !== undefined && { config_hash: sent.hash }),
      };
      await parts.database.transaction(async (transaction) => {
        await parts.states.merge(transaction, node.tenantId, 'data-planes', node.id, fields, nowMs);
        if (sent.targets) await storeTargetReport(transaction, node, sent.targets);
      });
      return { status: 202 };
    },
  };
}

function ingestOperation({ ingest }: DataPlaneOperationParts): Operation {
  return {
    id: 'reportObservations',
    method: 'POST',
    paths: [`${dataPlaneBase}/observations`],
    tag: dataPlaneTag,
    summary: 'Counters and records of requests; a batch sent again is counted once',
    access: 'data_plane',
    body: { schema: observationBatch, gzip: true, bytesMax: batchBytesMax, validatedByHandler: true },
    responses: [{ status: 202, description: 'Counted' }],
    async handler(input) {
      await ingest(nodeOf(input), checkedBatch(input.body));
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
