import type { IntegrationError } from '@portcullis/integrations';

/** Bytes of a result as JSON. An inventory of a thousand APIs with their stages has a third of it. */
export const syncResultBytesMax: number = 512 * 1024;

/** What a sync came to. Source: wire contract, AI records, integrations, SDKs. */
export interface SyncResult {
  readonly status: 'success' | 'failed';
  readonly driver: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
  readonly duration_ms: number;
  /** When it ended: RFC 3339, UTC. */
  readonly synced_at: string;
}

/** Facts of a sync, however it ended. */
export type SyncFacts = Pick<SyncResult, 'driver' | 'duration_ms' | 'synced_at'>;

/** The result of a sync that saw what it looked for. */
export function successOf(facts: SyncFacts, metadata: object): SyncResult {
  return bounded({ status: 'success', metadata: plain(metadata), ...facts });
}

/**
 * What is told of an address that does not answer. Whether it may not be called, has no name or nobody is there is the operator's to know: names of an inner network would be
 * found out by asking for many.
 */
const unanswered = {
  code: 'unreachable',
  message: 'no whole answer came; or the operator of the control plane does not let the address be called',
} as const;

/** The result of one that failed. What is no error of a driver is not one of the external system, and nothing of it is told. */
export function failureOf(facts: SyncFacts, { code, message, metadata }: IntegrationError): SyncResult {
  const error = code === 'refused' || code === 'unreachable' ? unanswered : { code, message };
  return bounded({ status: 'failed', metadata: plain(metadata), error, ...facts });
}

function bounded(result: SyncResult): SyncResult {
  if (Buffer.byteLength(JSON.stringify(result)) <= syncResultBytesMax) return result;
  const message = `what was found has more than ${syncResultBytesMax} bytes`;
  return { ...result, status: 'failed', metadata: {}, error: { code: 'too_large', message } };
}

/** What both databases keep as it is: without U+0000 and lone surrogates, which other systems may well send. */
function plain(metadata: object): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(metadata, (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\u0000', '\uFFFD') : value,
  );
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
