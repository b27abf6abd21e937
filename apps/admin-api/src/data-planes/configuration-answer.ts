import { configurationFormatOf } from '@portcullis/resources';
import type { ConfigurationHead } from '@portcullis/resources';
import type { ConfigurationImage, RecordKey } from './configuration-image.ts';

/** Characters of lines that are sent at once. */
const chunkCharacters = 64 * 1024;

/** What a node has. */
export interface NodeState {
  readonly revision: number;
  readonly hash: string;
}

/** A configuration in pieces of text, to be sent as they are asked for. */
export type ConfigurationText = Iterable<string>;

/** Everything, as it is now: what the image becomes while the text is sent does not show in it. */
export function wholeText(image: ConfigurationImage): ConfigurationText {
  const lines = image.lines();
  return inChunks(headOf(image, null, lines), lines, { records: lines.length, removals: 0, total: lines.length });
}

/** What a node needs to get from what it has to the image. Keys that did not move after all are no mistake. */
export function deltaText(image: ConfigurationImage, since: NodeState, keys: ReadonlySet<RecordKey>): string {
  const records: string[] = [];
  const removals: string[] = [];
  for (const key of keys) {
    const line = image.lineOf(key);
    const slash = key.indexOf('/');
    if (line === undefined) {
      removals.push(JSON.stringify({ family: key.slice(0, slash), removed: key.slice(slash + 1) }));
    } else records.push(line);
  }
  const counts = { records: records.length, removals: removals.length, total: image.size };
  const lines = [...removals, ...records];
  return [...inChunks(headOf(image, since, lines), lines, counts)].join('');
}

function headOf(image: ConfigurationImage, since: NodeState | null, lines: readonly string[]): ConfigurationHead {
  return {
    format: configurationFormatOf(lines),
    tenant_id: image.tenantId,
    gateway_id: image.gatewayId,
    revision: image.revision,
    hash: image.hash,
    since,
  };
}

function* inChunks(head: ConfigurationHead, lines: readonly string[], counts: object): Generator<string> {
  let chunk = `${JSON.stringify(head)}\n`;
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = '';
  }
  yield `${chunk}${JSON.stringify({ end: counts })}\n`;
}
