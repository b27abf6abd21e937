import { createGzip, constants } from 'node:zlib';
import { Readable } from 'node:stream';
import { configurationMediaType } from '@portcullis/resources';
import * as v from 'valibot';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { movedByLog } from './advance-image.ts';
import { deltaText, wholeText, type ConfigurationText, type NodeState } from './configuration-answer.ts';
import type { ConfigurationImage, RecordKey } from './configuration-image.ts';
import { ConfigurationWaits, waitLimits, waitSecondsMax } from './configuration-waits.ts';
import { dataPlaneBase, dataPlaneTag, knownNode, nodeOf, type DataPlaneOperationParts } from './data-plane-parts.ts';

/** Deltas of more records than a part of the whole are sent whole. */
const deltaShareMax = 0.5;

/** How long a node that may not wait shall wait by itself. */
const retryAfterSeconds = '10';

/**
 * `GET config`: nothing new, a delta, or everything. A delta is sent when the node's revision is in the image's history with the
 * node's hash, or when the change log reaches back to it; in the second case only the node can tell whether it had what it says
 * it had, which it does by the hash that it comes to. Source: wire contract, Data planes.
 */
export function configOperation(parts: DataPlaneOperationParts): Operation {
  const waits = new ConfigurationWaits(parts.database);
  return {
    id: 'getDataPlaneConfiguration',
    method: 'GET',
    paths: [`${dataPlaneBase}/config`],
    tag: dataPlaneTag,
    summary: "The gateway's configuration, whole or as a delta; 304 when the node has it",
    access: 'data_plane',
    query: [
      {
        name: 'since',
        description:
          'The revision that the node serves; its hash goes into If-None-Match. Without it everything is sent',
        schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/))),
      },
      {
        name: 'wait',
        description: `Seconds to wait for a change before answering 304, at most ${waitSecondsMax}; for nodes that cannot keep the stream`,
        schema: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number), v.maxValue(waitSecondsMax))),
      },
    ],
    responses: [
      {
        status: 200,
        description: 'The configuration or what changed, one JSON text per line: head, records and removals, end',
        mediaType: configurationMediaType,
        headers: ['etag'],
      },
      { status: 304, description: 'The node has this configuration', headers: ['etag'] },
      { status: 404, description: 'The gateway is gone' },
      { status: 429, description: 'Too many nodes wait' },
    ],
    async handler(input) {
      const { id, tenantId, gatewayId } = nodeOf(input);
      const asked = askedOf(input);
      const present = async (): Promise<ConfigurationImage> => {
        const image = await parts.images.get(tenantId, gatewayId);
        if (!image) throw new Problem('not_found', 'gateway not found');
        return image;
      };
      let image = await present();
      const timeoutMs = Number(input.query['wait'] ?? 0) * 1000;
      if (timeoutMs > 0 && hasNothingNew(image, asked)) {
        const nodeKey = `${tenantId}/${id}`;
        if (!waits.hasRoom(nodeKey)) throw tooManyWaits();
        const { revision } = image;
        const isKnown = knownNode(parts, input);
        const signal = AbortSignal.any([input.request.signal, parts.shutdown]);
        await waits.wait({ nodeKey, tenantId, gatewayId, revision, timeoutMs, isKnown, signal });
        if (!(await isKnown())) throw new Problem('unauthenticated', 'The credential is not valid');
        image = await present();
      }
      return answer(parts, image, asked);
    },
  };
}

/** What a node says of itself when it asks. */
interface Asked {
  /** What it serves. */
  readonly state: NodeState | undefined;
  /** Hash of what it was sent and refused: it need not be sent again. */
  readonly refused: string | undefined;
  readonly gzip: boolean;
}

function askedOf({ query, request }: OperationInput): Asked {
  const tags = [...(request.header('if-none-match') ?? '').matchAll(/"([0-9a-f]{64})"/g)].map(([, hash]) => hash);
  const [hash, refused] = tags;
  const since = query['since'];
  const encodings = (request.header('accept-encoding') ?? '').toLowerCase().split(',');
  return {
    state: since === undefined || hash === undefined ? undefined : { revision: Number(since), hash },
    refused,
    gzip: encodings.some((encoding) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(encoding)),
  };
}

function hasNothingNew(image: ConfigurationImage, { state, refused }: Asked): boolean {
  const isServed = state !== undefined && state.hash === image.hash && state.revision >= image.revision;
  return isServed || refused === image.hash;
}

async function answer(
  parts: DataPlaneOperationParts,
  image: ConfigurationImage,
  asked: Asked,
): Promise<OperationOutput> {
  const isOld = hasNothingNew(image, asked);
  const keys = isOld || asked.state === undefined ? undefined : await movedSince(parts, image, asked.state);
  // From here on nothing is awaited: the image may move on.
  const headers = { etag: `"${image.hash}"`, 'x-config-revision': String(image.revision), vary: 'accept-encoding' };
  if (hasNothingNew(image, asked)) return { status: 304, headers };
  const isDelta = keys !== undefined && asked.state !== undefined && keys.size <= image.size * deltaShareMax + 1;
  const text: ConfigurationText = isDelta ? [deltaText(image, asked.state, keys)] : wholeText(image);
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': configurationMediaType,
      ...(asked.gzip && !isDelta && { 'content-encoding': 'gzip' }),
    },
    stream: bytesOf(text, asked.gzip && !isDelta),
  };
}

/** What moved since a node's state; `undefined` when only everything will do. */
async function movedSince(
  { database }: DataPlaneOperationParts,
  image: ConfigurationImage,
  state: NodeState,
): Promise<ReadonlySet<RecordKey> | undefined> {
  const moved = image.movedSince(state.revision, state.hash);
  if (moved === 'other') return undefined;
  if (moved !== 'unknown') return moved;
  if (state.revision > image.revision) return undefined;
  return movedByLog(
    { executor: database.read, tenantId: image.tenantId, gatewayId: image.gatewayId },
    image,
    state.revision,
  );
}

/** Pieces are made as they are sent. Whole configurations are compressed off the thread when the node takes that. */
function bytesOf(text: ConfigurationText, gzip: boolean): ReadableStream<Uint8Array> {
  const bytes = Readable.from(text, { objectMode: false });
  const source = gzip ? bytes.pipe(createGzip({ level: constants.Z_BEST_SPEED })) : bytes;
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}

function tooManyWaits(): Problem {
  return new Problem(
    'rate_limited',
    `at most ${waitLimits.perNode} requests of a data plane may wait, and ${waitLimits.all} of all`,
    {
      headers: { 'retry-after': retryAfterSeconds },
    },
  );
}
