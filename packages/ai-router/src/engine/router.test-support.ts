import { startAiProvider, type AiProvider, type AiProviderOptions } from '@portcullis/testkit';
import type { Attempt } from '../attempt.ts';
import type { JsonObject } from '../json.ts';
import { createLocalLimits } from '../policy/local-limits.ts';
import type { Provider } from '../providers/provider.ts';
import { readModelRoute } from '../routing/read-route.ts';
import type { ModelRoute } from '../routing/route.ts';
import { TargetOrder } from '../routing/target-order.ts';
import type { BodyStream } from './body-stream.ts';
import { nodeTransport } from './node-transport.test-support.ts';
import { createRouter, type Router } from './router.ts';
import { type RouterOptions, systemTimers } from './router-options.ts';
import type { AiRequestRecord, RouterAnswer, RouterRequest } from './router-request.ts';

/** The process's clock. */
export const systemClock: { nowMs(): number; monotonicMs(): number } = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** A provider as a config with nothing but its address and key makes it. */
export function providerOf(name: string, url: string, changes: Partial<Provider> = {}): Provider {
  return {
    name,
    type: 'openai',
    baseUrl: `${url}/v1`,
    secrets: { apiKey: { from: 'value', value: `key-of-${name}` } },
    headers: [],
    models: [],
    modelMap: new Map(),
    timeoutMs: 20_000,
    connectTimeoutMs: 10_000,
    firstByteTimeoutMs: 20_000,
    streamIdleTimeoutMs: 20_000,
    responseBytesMax: 1024 * 1024,
    supports: { streamUsage: true, tools: true, jsonSchema: true },
    ...changes,
  };
}

/** A route over providers, in their order: the target of each is the model `model-of-NAME`. */
export function routeOver(model: string, names: readonly string[], changes: JsonObject = {}): ModelRoute {
  const targets = names.map((provider) => ({ provider, model: `model-of-${provider}` }));
  return readModelRoute(model, { model, strategy: 'ordered', targets, ...changes });
}

/** A router in front of fake providers. */
export interface TestRouter extends AsyncDisposable {
  readonly router: Router;
  readonly providers: Readonly<Record<string, AiProvider>>;
  readonly records: AiRequestRecord[];
  /** Sends a chat and takes the whole answer. */
  ask(body?: JsonObject, more?: Partial<RouterRequest>): Promise<TakenAnswer>;
  /** Sends a chat and gives the answer as it comes. */
  begin(body: JsonObject, signal?: AbortSignal, more?: Partial<RouterRequest>): Promise<RouterAnswer>;
}

/** What a test router is made of. */
export interface TestRouterOptions extends Partial<Omit<RouterOptions, 'providers'>> {
  /** By name; `first` and `second` when absent. */
  readonly providers?: Readonly<Record<string, Partial<Provider>>>;
  readonly tls?: AiProviderOptions['tls'];
}

/** Starts a router with the route `public` over all providers. */
export async function startTestRouter(options: TestRouterOptions = {}): Promise<TestRouter> {
  const { providers: given = { first: {}, second: {} }, tls, ...rest } = options;
  const started: Record<string, AiProvider> = {};
  for (const name of Object.keys(given)) started[name] = await startAiProvider(tls === undefined ? {} : { tls });
  const router = createRouter({
    tenantId: 'acme',
    providers: Object.entries(given).map(([name, changes]) => providerOf(name, started[name]?.url ?? '', changes)),
    routes: [routeOver('public', Object.keys(given))],
    policies: [],
    ordering: new TargetOrder(systemClock),
    limits: createLocalLimits({ clock: systemClock }),
    transport: nodeTransport,
    clock: systemClock,
    timers: systemTimers,
    ...rest,
  });
  const records: AiRequestRecord[] = [];
  const begin: TestRouter['begin'] = (body, signal = new AbortController().signal, more = {}) => {
    const bytes = new TextEncoder().encode(JSON.stringify({ model: 'public', messages: [hello], ...body }));
    const onRecord = (record: AiRequestRecord): number => records.push(record);
    return router.handle({ operation: 'chat', body: bytes, requestId: 'request-1', onRecord, ...more }, signal);
  };
  return {
    router,
    providers: started,
    records,
    begin,
    ask: async (body = {}, more = {}) => takeAnswer(await begin(body, undefined, more)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(started).map((provider) => provider.close()));
    },
  };
}

const hello = { role: 'user', content: 'Hello?' };

/** A whole answer. */
export interface TakenAnswer {
  readonly status: number;
  readonly text: string;
  /** Parsed, where it is JSON. */
  readonly body: JsonObject;
  readonly isCut: boolean;
  readonly source: RouterAnswer['source'];
  header(name: string): string | undefined;
  readonly attempts: readonly Attempt[];
}

/** Takes an answer to its end. */
export async function takeAnswer(answer: RouterAnswer): Promise<TakenAnswer> {
  const { body } = answer;
  const taken = isStream(body) ? await takeStream(body) : { text: textOf(body), isCut: false };
  const header = (name: string): string | undefined => answer.headers[answer.headers.indexOf(name) + 1];
  return {
    status: answer.status,
    ...taken,
    body: taken.text.startsWith('{') ? (JSON.parse(taken.text) as JsonObject) : {},
    source: answer.source,
    header: (name) => (answer.headers.includes(name) ? header(name) : undefined),
    attempts: JSON.parse(header('x-gateway-ai-attempts') ?? '[]') as readonly Attempt[],
  };
}

/** Whether a body is made while it goes. */
export function isStream(body: RouterAnswer['body']): body is BodyStream {
  return typeof body === 'object' && 'start' in body;
}

function textOf(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

async function takeStream(body: BodyStream): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  const isCut = await new Promise<boolean>((resolve) => {
    body.start({
      write: (bytes) => pieces.push(bytes) > 0,
      end: () => resolve(false),
      fail: () => resolve(true),
    });
  });
  return { text: Buffer.concat(pieces).toString('utf8'), isCut };
}

/** The data of each frame of a stream, parsed where it is JSON. */
export function framesOf(text: string): readonly unknown[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => block.replace(/^(?:event: .*\n)?data: /, ''))
    .map((data) => (data.startsWith('{') ? (JSON.parse(data) as unknown) : data));
}

/** The text that chunks of a chat make up. */
export function saidIn(text: string): string {
  return framesOf(text)
    .map((data) => (data as { choices?: { delta?: { content?: string } }[] }).choices?.[0]?.delta?.content ?? '')
    .join('');
}
