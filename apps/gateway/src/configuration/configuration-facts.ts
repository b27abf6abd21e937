import { setImmediate as turn } from 'node:timers/promises';
import type { ConfigurationHead } from '@portcullis/resources';
import type { ConfigurationError } from './configuration-errors.ts';
import type { BuildOutcome } from './build-outcome.ts';
import type { RecordChanges, RecordSet } from './record-set.ts';
import type { TimeSlices } from './time-slices.ts';

/** What a document or a refusal of it is about. */
export interface Place {
  readonly revision: number;
  readonly hash: string;
}

/** All records as changes: these themselves where there was nothing before. */
export async function everything(
  records: RecordSet,
  changes: RecordChanges,
  slices: TimeSlices,
): Promise<RecordChanges> {
  const isAll = changes.upserts.length === records.size;
  return isAll ? changes : { upserts: await records.all(slices), removals: [] };
}

/** Lets everything run that waits for the event loop. */
export async function turnOfTheLoop(): Promise<void> {
  await turn();
}

/** What a build came to; one that throws is refused. */
export async function attempt(build: () => Promise<BuildOutcome>): Promise<BuildOutcome> {
  try {
    return await build();
  } catch (error) {
    return { ok: false, errors: [describe(error)] };
  }
}

/** A failure that nobody foresaw, as a mistake of the configuration. */
export function describe(error: unknown): ConfigurationError {
  const text = error instanceof Error ? error.message : 'unknown';
  return { pointer: '', message: `the configuration could not be built: ${text}`.slice(0, 1024) };
}

/** A text's lines: first, those in the middle, last. */
export function* between(first: string, lines: readonly string[], last: string): Generator<string> {
  yield first;
  yield* lines;
  yield last;
}

/** What is wrong with a configuration that is another tenant's or gateway's than the one that is served. */
export function foreignTo(served: ConfigurationHead, head: ConfigurationHead): ConfigurationError | undefined {
  for (const field of ['tenant_id', 'gateway_id'] as const) {
    if (head[field] !== served[field]) return { pointer: `/${field}`, message: 'is not that of this gateway' };
  }
  return undefined;
}

/** Whether a delta begins at what is served. */
export function isAbout(since: Place, served: Place | undefined): boolean {
  return served !== undefined && since.revision === served.revision && since.hash === served.hash;
}

/**
 * Whether a configuration has nothing to serve: taken for a fault while something is served, and not while a new gateway gets its
 * certificates and consumers first. Source: design, Configuration.
 */
export function isEmpty(records: RecordSet): boolean {
  return records.countOf('routes') + records.countOf('services') + records.countOf('upstreams') === 0;
}
