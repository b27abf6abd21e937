import { createEgress } from '@portcullis/egress';
import {
  createRuntime,
  definePlugin,
  ExchangeState,
  type AiRecord,
  type Chain,
  type ConsumerIdentity,
  type ResponderAnswer,
  type DataStores,
  type RuntimeOptions,
  type SharedStore,
} from '@portcullis/plugin-runtime';
import { startAiProvider, type AiProvider } from '@portcullis/testkit';
import * as v from 'valibot';
import { aiProxy } from './index.ts';

/** One request to the proxy. */
export interface ProxyRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: readonly string[];
  readonly body?: unknown;
  readonly consumer?: ConsumerIdentity;
  readonly isFromTrustedPeer?: boolean;
  /** What the peer says of who the client is: name and value by turns. */
  readonly claims?: readonly string[];
  readonly aiRecords?: readonly AiRecord[];
}

/** What came of it. */
export interface ProxyAnswer {
  readonly status: number;
  readonly source: ResponderAnswer['source'];
  readonly text: string;
  readonly body: Record<string, unknown>;
  header(name: string): string | undefined;
  readonly ai: Readonly<Record<string, unknown>> | undefined;
}

/** A proxy in a runtime, in front of one fake provider called `fake`. */
export interface TestProxy extends AsyncDisposable {
  readonly provider: AiProvider;
  readonly log: string[];
  send(request?: ProxyRequest): Promise<ProxyAnswer>;
}

/** What a proxy's host gives beside. */
export interface ProxyHost extends Pick<RuntimeOptions, 'secrets'> {
  readonly sharedStore?: SharedStore;
  readonly dataStores?: DataStores;
  readonly tenantId?: string;
  /** Whether the way out may call addresses of this machine, where the fake is. Default: it may. */
  readonly allowsLoopback?: boolean;
}

/** Starts one; the config's providers are a fake OpenAI when it names none. */
export async function startProxy(config: Record<string, unknown> = {}, host: ProxyHost = {}): Promise<TestProxy> {
  const provider = await startAiProvider();
  const { tenantId = 'acme', allowsLoopback = true, ...ports } = host;
  const egress = createEgress({ allowed: allowsLoopback ? [{ address: '127.0.0.0', bits: 8 }] : [] });
  const log: string[] = [];
  const note = (message: string, details: object = {}): void => void log.push(`${message} ${JSON.stringify(details)}`);
  const providers = [{ name: 'fake', type: 'openai', base_url: `${provider.url}/v1`, api_key: 'sk-of-fake' }];
  const runtime = createRuntime({
    ...ports,
    tenantId,
    plugins: [aiProxy.plugin, identity],
    outbound: egress,
    log: { debug: note, warn: note, error: note },
    inline: [
      { id: 'identity', name: 'identity', config: {} },
      { id: 'proxy', name: 'ai_proxy', config: { providers, default_provider: 'fake', ...config } },
    ],
  });
  const chain = runtime.chainFor({ gateway });
  return {
    provider,
    log,
    send: (request = {}) => send(chain, request),
    [Symbol.asyncDispose]: async () => {
      await egress.close();
      await provider.close();
    },
  };
}

const CONSUMER = 'identity.consumer';

/** Says who the test's client is. It runs after the proxy's own hook, which no order of names helps: responders wait for all hooks. */
const identity = definePlugin({
  name: 'identity',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  config: v.strictObject({}),
  setup: () => ({
    request: ({ state }) => {
      const consumer = state.get(CONSUMER) as ConsumerIdentity | undefined;
      return consumer === undefined ? undefined : { consumer };
    },
  }),
});

const gateway = { id: 'g1', name: 'edge' };
const usual = { model: 'm-1', messages: [{ role: 'user', content: 'Hello?' }] };

async function send(chain: Chain, request: ProxyRequest): Promise<ProxyAnswer> {
  const { method = 'POST', path = '/v1/chat/completions', headers = [], body = usual } = request;
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  const exchange = new ExchangeState({
    facts: { requestId: 'r1', tenantId: 'acme', gateway },
    request: {
      method,
      scheme: 'http',
      host: 'api.test',
      path,
      query: '',
      strippedLength: 0,
      headers: [...headers],
      clientIp: '192.0.2.1',
      isFromTrustedPeer: request.isFromTrustedPeer ?? false,
      peerClaims: () => request.claims ?? [],
      isCopy: false,
      peerCertificates: () => [],
      readBody: (bytesMax) => Promise.resolve(bytes.byteLength <= bytesMax ? bytes : undefined),
    },
    ...(request.aiRecords !== undefined && { aiRecords: request.aiRecords }),
  });
  if (request.consumer !== undefined) exchange.state.set(CONSUMER, request.consumer);
  await chain.runRequest(exchange);
  let ai: Readonly<Record<string, unknown>> | undefined;
  const answer = await exchange.request.responder?.respond({
    exchange,
    signal: new AbortController().signal,
    observe: (edits) => ({ ai } = edits),
  });
  if (answer === undefined) throw new Error('no responder');
  const text = await textOf(answer.body);
  const { status, source, headers: given = [] } = answer;
  return {
    status,
    source,
    text,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
    header: (name) => (given.includes(name) ? given[given.indexOf(name) + 1] : undefined),
    ai,
  };
}

async function textOf(body: ResponderAnswer['body']): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const pieces: Uint8Array[] = [];
  await new Promise<void>((resolve) => {
    body.start({ write: (bytes) => pieces.push(bytes) > 0, end: resolve, fail: resolve });
  });
  return Buffer.concat(pieces).toString('utf8');
}
