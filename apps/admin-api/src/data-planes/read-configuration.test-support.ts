import { hash } from 'node:crypto';
import {
  ConfigurationDigest,
  configurationEnd,
  configurationHead,
  configurationRecord,
  configurationRemoval,
  type ConfigurationHead,
  type DeliveredRecord,
} from '@portcullis/resources';
import * as v from 'valibot';

/** A configuration as a test looks at it. */
export interface ReadConfiguration {
  readonly head: ConfigurationHead;
  /** Lines of records by `family/id`. */
  readonly lines: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
  readonly total: number;
}

/** Reads a configuration's text, whole or a delta. @throws when it is not one */
export function readConfiguration(text: string): ReadConfiguration {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const head = v.parse(configurationHead, JSON.parse(first));
  const { end } = v.parse(configurationEnd, JSON.parse(rest.pop() ?? ''));
  const lines = new Map<string, string>();
  const removed: string[] = [];
  for (const line of rest) {
    const value: unknown = JSON.parse(line);
    if (v.is(configurationRemoval, value)) removed.push(`${value.family}/${value.removed}`);
    else {
      const { family, record } = v.parse(configurationRecord, value);
      lines.set(`${family}/${record.id}`, line);
    }
  }
  if (end.records !== lines.size || end.removals !== removed.length) throw new Error('the counts are wrong');
  return { head, lines, removed, total: end.total };
}

/** The records of a family. */
export function recordsOf({ lines }: Pick<ReadConfiguration, 'lines'>, family: string): DeliveredRecord[] {
  return [...lines.values()]
    .map((line) => v.parse(configurationRecord, JSON.parse(line)))
    .filter((read) => read.family === family)
    .map(({ record }) => record);
}

/** What a node has after a configuration. @throws when it does not come to the promised hash and count */
export function applied(before: ReadConfiguration | undefined, next: ReadConfiguration): ReadConfiguration {
  const isDelta = next.head.since !== null;
  const lines = new Map(isDelta ? before?.lines : []);
  for (const key of next.removed) lines.delete(key);
  for (const [key, line] of next.lines) lines.set(key, line);
  const sha256 = (text: string): string => hash('sha256', text);
  const place = { tenantId: next.head.tenant_id, gatewayId: next.head.gateway_id };
  const digest = new ConfigurationDigest(sha256, place);
  for (const line of lines.values()) digest.add(sha256(line));
  if (digest.value() !== next.head.hash) throw new Error(`${isDelta ? 'the delta' : 'it'} comes to another hash`);
  if (lines.size !== next.total) throw new Error(`${lines.size} records in place of ${next.total}`);
  return { ...next, lines };
}
