import { createEgress } from '@portcullis/egress';
import type { ExchangeState, SecretSource } from '@portcullis/plugin-runtime';
import { FakeClock, startUpstream, type Upstream, type UpstreamHandler } from '@portcullis/testkit';
import { exchangeOf, PluginBench, type TestRequest } from '../../testing/plugin-bench.ts';
import type { BuiltIn } from '../built-in.ts';

/** An answer of a service behind the gateway. */
export interface TestAnswer {
  readonly status?: number;
  /** Default: `application/json`. */
  readonly type?: string | undefined;
  readonly headers?: readonly string[];
  readonly source?: 'upstream' | 'plugin' | 'gateway';
}

/** What leaves for the client. */
export interface Left {
  readonly status: number;
  readonly text: string;
  header(name: string): string | undefined;
  readonly exchange: ExchangeState;
}

/** A plugin of AI routes in a real runtime, with a way out to this machine. */
export class ChatBench implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly lines: string[] = [];
  /** Counters of the instance, by name. */
  readonly counts: Record<string, number> = {};
  readonly #bench: PluginBench;
  readonly #egress = createEgress({ allowed: [{ address: '127.0.0.0', bits: 8 }] });

  constructor(builtIn: BuiltIn, config: unknown, { secrets }: { readonly secrets?: SecretSource } = {}) {
    const note = (message: string, details: object = {}): void =>
      void this.lines.push(`${message} ${JSON.stringify(details)}`);
    this.clock = new FakeClock({ nowMs: Date.parse('2026-01-02T03:04:05Z') });
    this.#bench = new PluginBench(builtIn, config, {
      clock: this.clock,
      outbound: this.#egress,
      log: { debug: note, warn: note, error: note },
      metricsOf: () => ({
        counter: (name) => ({ add: (count) => void (this.counts[name] = (this.counts[name] ?? 0) + count) }),
      }),
      ...(secrets !== undefined && { secrets }),
    });
  }

  /** Runs the request stage for a JSON body, or one as it is. */
  async ask(body: unknown, request: TestRequest = {}): Promise<ExchangeState> {
    const exchange = chatExchange(body, request);
    await this.#bench.chain.runRequest(exchange);
    return exchange;
  }

  /** Runs the request stage, and gives the body that leaves as JSON. */
  async sent(body: unknown, request: TestRequest = {}): Promise<unknown> {
    const exchange = await this.ask(body, request);
    if (exchange.hasResponse) throw new Error(`refused: ${Buffer.from(exchange.response.body ?? []).toString()}`);
    return JSON.parse(Buffer.from((await exchange.request.readBody(1e9)) ?? []).toString('utf8'));
  }

  /** Runs the response stage over an answer, after the request stage where one ran. */
  async answer(body: unknown, answer: TestAnswer = {}, exchange = chatExchange({})): Promise<Left> {
    const { status = 200, headers = [], source = 'upstream' } = answer;
    const type = 'type' in answer ? answer.type : 'application/json';
    const bytes = bytesOf(body);
    exchange.setResponse({
      status,
      headers: [...(type === undefined ? [] : ['content-type', type]), ...headers],
      source,
      readBody: (bytesMax) => Promise.resolve(bytes.length <= bytesMax ? bytes : undefined),
    });
    await this.#bench.chain.runResponse(exchange);
    if (exchange.hasFailed) return { status: 503, text: '', header: () => undefined, exchange };
    const { response } = exchange;
    const text = Buffer.from(response.body ?? bytes).toString('utf8');
    return { status: response.status, text, header: (name) => response.headers.get(name), exchange };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#egress.close();
  }
}

/** A request for a chat before any plugin ran. */
export function chatExchange(body: unknown, request: TestRequest = {}): ExchangeState {
  const { path = '/v1/chat/completions', headers = ['content-type', 'application/json'], ...rest } = request;
  return exchangeOf({ ...rest, path, headers, ...(body !== undefined && { body: bytesOf(body) }) });
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A chat with one text of a user. */
export function chatOf(content: unknown): Record<string, unknown> {
  return { model: 'm-1', messages: [{ role: 'user', content }] };
}

/** An answer of a chat. */
export function completionOf(content: unknown): Record<string, unknown> {
  return {
    id: 'c-1',
    object: 'chat.completion',
    model: 'm-1',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  };
}

/** A stream of a chat whose text comes in pieces. */
export function streamOf(pieces: readonly string[]): string {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const said = pieces.map((content) => chunk({ content })).join('');
  return `${chunk({ role: 'assistant', content: '' })}${said}${chunk({}, 'stop')}data: [DONE]\n\n`;
}

/** The text that a stream of a chat says. */
export function saidIn(stream: string): string {
  return stream
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map(
      (line) =>
        (JSON.parse(line.slice(6)) as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta?.content ?? '',
    )
    .join('');
}

/** A service that plugins ask, whose next answers are planned. */
export interface PlannedService extends AsyncDisposable {
  readonly url: string;
  readonly requests: Upstream['requests'];
  /** From now on it answers with this JSON. */
  say(body: unknown, status?: number): void;
  /** From now on it does this. */
  behave(handler: UpstreamHandler): void;
}

/** Starts a service that answers `{}` until it is told otherwise. */
export async function startService(): Promise<PlannedService> {
  let behaviour: UpstreamHandler = () => undefined;
  const say = (body: unknown, status = 200): void => {
    behaviour = (_req, res) => {
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(JSON.stringify(body));
    };
  };
  say({});
  const server = await startUpstream((...call) => behaviour(...call));
  return {
    url: server.url,
    requests: server.requests,
    say,
    behave: (handler) => (behaviour = handler),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Ways in which a service fails, each with the reason that the operator reads. */
export const serviceFaults: readonly (readonly [name: string, reason: string, UpstreamHandler])[] = [
  ['an error', 'status_500', (_req, res) => void res.writeHead(500).end('{}')],
  ['a redirect', 'status_302', (_req, res) => void res.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['no JSON', 'no_json', (_req, res) => void res.end('<html>')],
  ['no UTF-8', 'no_json', (_req, res) => void res.end(Buffer.from([0x22, 0xff, 0x22]))],
  ['an answer that breaks off', 'unreachable', (req, res) => void res.write('{', () => req.socket.destroy())],
  ['a huge answer', 'too_large', (_req, res) => void res.end(`"${'x'.repeat(1_100_000)}"`)],
  ['silence', 'timeout', () => undefined],
];
