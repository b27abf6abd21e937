import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent, request, type Dispatcher } from 'undici';
import { readEvents } from './read-events.ts';

const compress = promisify(gzip);

/** Bounds of the talk with the control plane. */
const controlPlaneLimits = {
  answerTimeoutMs: 10_000,
  configurationBytesMax: 512 * 1024 * 1024,
  /** Bodies from this size on are compressed. */
  gzipBytesMin: 4096,
  /** A stream that says nothing for this long, not even a heartbeat, is dead. */
  streamSilenceMs: 30_000,
} as const;

/** What came of asking for the configuration. */
export type FetchedConfiguration =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What came of a report. `dropped` means that sending it again would not help. */
export type PostOutcome = 'accepted' | 'dropped' | 'unavailable';

/** The node endpoints of the control plane. No call throws for what the control plane or the network does. */
export class ControlPlaneClient {
  readonly #base: string;
  readonly #authorization: string;
  readonly #agent: Agent;

  constructor(url: string, token: string) {
    this.#base = `${url.replace(/\/+$/, '')}/api/v1/data-plane`;
    this.#authorization = `Bearer ${token}`;
    this.#agent = new Agent({
      allowH2: false,
      headersTimeout: controlPlaneLimits.answerTimeoutMs,
      bodyTimeout: controlPlaneLimits.streamSilenceMs,
      connect: { timeout: controlPlaneLimits.answerTimeoutMs },
    });
  }

  /** Asks for the configuration, unless it is still the one with this revision and hash. */
  async configuration(
    known: { revision: number; hash: string } | undefined,
    signal: AbortSignal,
  ): Promise<FetchedConfiguration> {
    try {
      const answer = await this.#send('GET', known ? `config?since=${known.revision}` : 'config', signal, {
        ...(known ? { 'if-none-match': `"${known.hash}"` } : {}),
      });
      if (answer.statusCode === 200) return { kind: 'document', text: await boundedText(answer.body) };
      await answer.body.dump();
      if (answer.statusCode === 304) return { kind: 'unchanged' };
      if (answer.statusCode === 401) return { kind: 'refused' };
      return { kind: 'unavailable', reason: `the control plane answered ${answer.statusCode}` };
    } catch (error) {
      return { kind: 'unavailable', reason: reasonOf(error) };
    }
  }

  /** Follows the stream of revisions until it ends; gives the reason of the end. */
  async follow(onRevision: (revision: number) => void, signal: AbortSignal): Promise<string> {
    try {
      const answer = await this.#send('GET', 'stream', signal, { accept: 'text/event-stream' });
      if (answer.statusCode !== 200) {
        await answer.body.dump();
        return `the control plane answered ${answer.statusCode}`;
      }
      await readEvents(answer.body, (event, data) => {
        const revision = event === 'revision' ? revisionOf(data) : undefined;
        if (revision !== undefined) onRevision(revision);
      });
      return 'the control plane ended the stream';
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** Sends a report: an acknowledgement, a heartbeat, observations. */
  async post(path: 'ack' | 'heartbeat' | 'observations', report: unknown, signal: AbortSignal): Promise<PostOutcome> {
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
      if (answer.statusCode < 300) return 'accepted';
      const mayPass = answer.statusCode >= 500 || [401, 408, 429].includes(answer.statusCode);
      return mayPass ? 'unavailable' : 'dropped';
    } catch {
      return 'unavailable';
    }
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #send(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    headers: Record<string, string>,
    body: string | Buffer | null = null,
  ): Promise<Dispatcher.ResponseData> {
    return request(`${this.#base}/${path}`, {
      method,
      signal,
      body,
      dispatcher: this.#agent,
      headers: { authorization: this.#authorization, ...headers },
    });
  }
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > controlPlaneLimits.configurationBytesMax) throw new Error('the configuration is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function revisionOf(data: string): number | undefined {
  try {
    const value = (JSON.parse(data) as { revision?: unknown } | null)?.revision;
    return typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : 'the control plane could not be reached';
}
