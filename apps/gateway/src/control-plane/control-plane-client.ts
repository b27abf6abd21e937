import { Readable } from 'node:stream';
import { createGunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { configurationMediaType } from '@portcullis/resources';
import { Agent, request, type Dispatcher } from 'undici';
import { readEvents } from './read-events.ts';
import type { Report } from './report-log.ts';

const compress = promisify(gzip);

/** Bounds of the talk with the control plane. */
export const controlPlaneLimits = {
  answerTimeoutMs: 10_000,
  /** How long the answer to a request for everything may take to begin: the control plane may have to read 100,000 records first. */
  wholeTimeoutMs: 60_000,
  configurationBytesMax: 512 * 1024 * 1024,
  /** Bodies from this size on are compressed. */
  gzipBytesMin: 4096,
  /** A stream that says nothing for this long, not even a heartbeat, is dead. */
  streamSilenceMs: 30_000,
  /** The stream names a revision at once. One that has not by then goes through something that keeps it back. */
  firstEventMs: 5000,
  /** An answer that comes in slower than this, over one such time, is given up: a trickle must not hold up what follows. */
  bodyBytesMin: 10 * 1024,
  bodyWindowMs: 10_000,
} as const;

/** Why {@link ControlPlaneLink.follow} ended when events do not come through although the control plane answers. */
export const silentStream = 'the stream of revisions stays silent';

/** What a node knows when it asks for news. Plain data. */
export interface KnownConfiguration {
  /** What it serves. */
  readonly revision: number;
  readonly hash: string;
  /** Hash of what it was sent and refused. */
  readonly refused?: string | undefined;
  /** Seconds that the control plane may wait for news before it answers that there is none. */
  readonly waitSeconds?: number | undefined;
}

/** What came of asking for the configuration. */
export type FetchedConfiguration =
  | { readonly kind: 'unchanged' }
  /** The text, in pieces that end anywhere. */
  | { readonly kind: 'document'; readonly pieces: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What came of a report. `dropped` means that sending it again would not help. */
export type PostOutcome = 'accepted' | 'dropped' | 'unavailable';

/** The node endpoints of the control plane. No call throws for what the control plane or the network does. */
export interface ControlPlaneLink {
  /** Asks for the configuration, whole where nothing is known: a delta or everything, unless there is nothing new. */
  configuration(known: KnownConfiguration | undefined, signal: AbortSignal): Promise<FetchedConfiguration>;
  /** Follows the stream of revisions until it ends; gives the reason of the end. */
  follow(onRevision: (revision: number) => void, signal: AbortSignal): Promise<string>;
  /** Sends a report: an acknowledgement, a heartbeat, observations. */
  post(path: Report, report: unknown, signal: AbortSignal): Promise<PostOutcome>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

/** Times of {@link controlPlaneLimits} that tests shorten. */
export type ControlPlaneTimes = Partial<
  Pick<
    { readonly [Name in keyof typeof controlPlaneLimits]: number },
    'answerTimeoutMs' | 'wholeTimeoutMs' | 'firstEventMs' | 'bodyWindowMs' | 'streamSilenceMs'
  >
>;

/** Told of every report that was sent; `failure` says why it was not taken. */
export type OnPosted = (report: Report, failure: string | undefined) => void;

/** {@link ControlPlaneLink} over HTTP. */
export class ControlPlaneClient implements ControlPlaneLink {
  readonly #limits: { readonly [Name in keyof typeof controlPlaneLimits]: number };
  readonly #base: string;
  readonly #authorization: string;
  readonly #agent: Agent;
  readonly #monotonicMs: () => number;
  readonly #onPosted: OnPosted | undefined;

  constructor(
    url: string,
    token: string,
    monotonicMs: () => number,
    { onPosted, ...times }: ControlPlaneTimes & { readonly onPosted?: OnPosted } = {},
  ) {
    this.#monotonicMs = monotonicMs;
    this.#onPosted = onPosted;
    this.#limits = { ...controlPlaneLimits, ...times };
    this.#base = `${url.replace(/\/+$/, '')}/api/v1/data-plane`;
    this.#authorization = `Bearer ${token}`;
    this.#agent = new Agent({
      allowH2: false,
      headersTimeout: this.#limits.answerTimeoutMs,
      bodyTimeout: this.#limits.streamSilenceMs,
      connect: { timeout: this.#limits.answerTimeoutMs },
    });
  }

  async configuration(known: KnownConfiguration | undefined, signal: AbortSignal): Promise<FetchedConfiguration> {
    try {
      const { answerTimeoutMs, wholeTimeoutMs } = this.#limits;
      const waitMs = (known?.waitSeconds ?? 0) * 1000;
      const headers: Record<string, string> = { accept: configurationMediaType, 'accept-encoding': 'gzip' };
      if (known !== undefined) {
        headers['if-none-match'] = [known.hash, known.refused].flatMap((tag) => (tag ? `"${tag}"` : [])).join(', ');
      }
      const wait = waitMs > 0 ? `&wait=${known?.waitSeconds ?? 0}` : '';
      const path = known ? `config?since=${known.revision}${wait}` : 'config';
      const timeoutMs = known === undefined ? wholeTimeoutMs : answerTimeoutMs + waitMs;
      const answer = await this.#send('GET', path, signal, headers, null, timeoutMs);
      if (answer.statusCode === 200) return { kind: 'document', pieces: await this.#piecesOf(answer) };
      await answer.body.dump();
      if (answer.statusCode === 304) return { kind: 'unchanged' };
      return { kind: 'unavailable', reason: answered(answer.statusCode) };
    } catch (error) {
      return { kind: 'unavailable', reason: reasonOf(error) };
    }
  }

  async follow(onRevision: (revision: number) => void, signal: AbortSignal): Promise<string> {
    const silence = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const both = AbortSignal.any([signal, silence.signal]);
      const answer = await this.#send('GET', 'stream', both, { accept: 'text/event-stream' });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        return answered(answer.statusCode);
      }
      timer = setTimeout(() => silence.abort(), this.#limits.firstEventMs);
      await readEvents(answer.body, (event, data) => {
        const revision = event === 'revision' ? revisionOf(data) : undefined;
        if (revision === undefined) return;
        clearTimeout(timer);
        onRevision(revision);
      });
      return 'the control plane ended the stream';
    } catch (error) {
      return silence.signal.aborted ? silentStream : reasonOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async post(path: Report, report: unknown, signal: AbortSignal): Promise<PostOutcome> {
    try {
      const text = JSON.stringify(report);
      const isLarge = text.length >= controlPlaneLimits.gzipBytesMin;
      const headers = { 'content-type': 'application/json', ...(isLarge ? { 'content-encoding': 'gzip' } : {}) };
      const answer = await this.#send(
        'POST',
        path,
        signal,
        headers,
        isLarge ? await compress(text, { level: 1 }) : text,
      );
      await answer.body.dump();
      const isTaken = answer.statusCode < 300;
      this.#onPosted?.(path, isTaken ? undefined : answered(answer.statusCode));
      if (isTaken) return 'accepted';
      return isRefusal(answer) ? 'dropped' : 'unavailable';
    } catch (error) {
      // One that is given up says nothing about the control plane.
      if (!signal.aborted) this.#onPosted?.(path, reasonOf(error));
      return 'unavailable';
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** The body's text; a compressed one is opened. @throws Error for one that is too large, too slow or broken */
  async #piecesOf({ headers, body }: Dispatcher.ResponseData): Promise<readonly string[]> {
    const arriving = atLeast(body, this.#limits, this.#monotonicMs);
    const isGzip = headers['content-encoding'] === 'gzip';
    const bytes: AsyncIterable<Buffer> = isGzip ? Readable.from(arriving).compose(createGunzip()) : arriving;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const pieces: string[] = [];
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > this.#limits.configurationBytesMax) throw new Error('the configuration is too large');
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
    pieces.push(decoder.decode());
    return pieces;
  }

  #send(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    headers: Record<string, string>,
    body: string | Buffer | null = null,
    headersTimeout: number = this.#limits.answerTimeoutMs,
  ): Promise<Dispatcher.ResponseData> {
    return request(`${this.#base}/${path}`, {
      method,
      signal,
      body,
      headersTimeout,
      dispatcher: this.#agent,
      headers: { authorization: this.#authorization, ...headers },
    });
  }
}

/** @throws Error when fewer bytes arrive than a connection that is worth waiting for brings */
async function* atLeast(
  body: AsyncIterable<Buffer>,
  { bodyBytesMin, bodyWindowMs }: { readonly bodyBytesMin: number; readonly bodyWindowMs: number },
  monotonicMs: () => number,
): AsyncGenerator<Buffer> {
  let endsAtMs = monotonicMs() + bodyWindowMs;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    yield chunk;
    if (monotonicMs() < endsAtMs) continue;
    if (bytes < bodyBytesMin) throw new Error('the configuration comes in too slowly');
    [endsAtMs, bytes] = [monotonicMs() + bodyWindowMs, 0];
  }
}

function revisionOf(data: string): number | undefined {
  try {
    const value = (JSON.parse(data) as { revision?: unknown } | null)?.revision;
    return typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The same words for the same cause, whichever request it came to. */
function answered(status: number): string {
  return status === 401 ? 'the control plane refused the token' : `the control plane answered ${status}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : 'the control plane could not be reached';
}

/** Statuses with which the control plane says that a report is none. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** Whether the control plane itself refused a report. A proxy before it, or a host that moved, says nothing of the report. */
function isRefusal({ statusCode, headers }: Dispatcher.ResponseData): boolean {
  return refusals.has(statusCode) && String(headers['content-type']).startsWith('application/problem+json');
}
