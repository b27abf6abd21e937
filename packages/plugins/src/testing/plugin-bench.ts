import {
  ExchangeState,
  createRuntime,
  type Chain,
  type ConsumerDirectory,
  type RequestFacts,
  type RequestParts,
  type RuntimeOptions,
  type StageResult,
} from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import type { BuiltIn } from '../shared/built-in.ts';

/** What a test says about one request; the rest has defaults. */
export interface TestRequest {
  readonly headers?: readonly string[];
  readonly path?: string;
  readonly clientIp?: string;
  readonly method?: string;
  readonly query?: string;
  /** Characters of the path that the route strips. */
  readonly strippedLength?: number;
  readonly isFromTrustedPeer?: boolean;
  readonly isCopy?: boolean;
  /** In DER, the client's own first. */
  readonly peerCertificates?: readonly Uint8Array[];
  /** Whether the host has verified them. */
  readonly isPeerVerified?: boolean;
  readonly body?: string | Uint8Array;
  /** Whether the client leaves in the middle of its body. */
  readonly breaksBody?: boolean;
  readonly consumers?: ConsumerDirectory;
  readonly facts?: Partial<RequestFacts>;
}

/** What the bench's runtime has beside the plugin. */
export interface BenchHost extends Pick<RuntimeOptions, 'outbound' | 'secrets' | 'sharedStore' | 'log' | 'metricsOf'> {
  readonly clock?: FakeClock;
}

/** What an upstream answers beside headers. */
export interface TestAnswer {
  /** Default 200. */
  readonly status?: number;
  /** Default: none. It is streamed: the exchange has a body of its own only where a plugin made one. */
  readonly body?: string | Uint8Array;
  readonly request?: TestRequest;
}

/** How a request ended in the request stage. */
export interface Ran {
  readonly result: StageResult;
  readonly exchange: ExchangeState;
}

/** One instance of a plugin in a real runtime, with a clock that moves by hand and IDs that count. */
export class PluginBench {
  readonly clock: FakeClock;
  readonly chain: Chain;

  constructor(builtIn: BuiltIn, config: unknown, host: BenchHost = {}) {
    const { clock = new FakeClock(), ...ports } = host;
    this.clock = clock;
    let ids = 0;
    const { plugin } = builtIn;
    const inline = [{ name: plugin.name, config, trigger: 'all' }] as const;
    const newId = () => `id-${(ids += 1)}`;
    this.chain = createRuntime({ ...ports, plugins: [plugin], clock, newId, inline }).chainFor({ gateway });
  }

  /** Runs the request stage. */
  async request(request: TestRequest = {}): Promise<Ran> {
    const exchange = exchangeOf(request);
    return { exchange, result: await this.chain.runRequest(exchange) };
  }

  /** Runs the response stage over an upstream's answer with these headers. */
  async response(headers: string[], answer: TestAnswer = {}): Promise<ExchangeState> {
    const { status = 200, body, request = {} } = answer;
    const exchange = exchangeOf(request);
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const readBody = (max: number) => Promise.resolve(bytes !== undefined && bytes.length <= max ? bytes : undefined);
    exchange.setResponse({ status, headers, source: 'upstream', ...(bytes === undefined ? {} : { readBody }) });
    await this.chain.runResponse(exchange);
    return exchange;
  }
}

/** The body of an exchange's response as JSON. */
export function problemOf({ response }: ExchangeState): unknown {
  return JSON.parse(new TextDecoder().decode(response.body));
}

const gateway = { id: 'g1', name: 'edge' };

/** A request before any plugin ran. */
export function exchangeOf({
  headers = [],
  path = '/',
  clientIp = '192.0.2.1',
  method = 'POST',
  query = '',
  strippedLength = 0,
  isFromTrustedPeer = false,
  isCopy = false,
  peerCertificates = [],
  isPeerVerified = false,
  body,
  breaksBody = false,
  consumers,
  facts,
}: TestRequest): ExchangeState {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const request: RequestParts = {
    method,
    scheme: 'http',
    host: 'api.test',
    path,
    query,
    strippedLength,
    headers: [...headers],
    clientIp,
    isFromTrustedPeer,
    isCopy,
    peerCertificates: () => peerCertificates,
    isPeerVerified,
    ...(breaksBody ? { readBody: () => Promise.reject(new Error('the client left')) } : {}),
    ...(bytes === undefined ? {} : { readBody: (max) => Promise.resolve(bytes.length <= max ? bytes : undefined) }),
  };
  return new ExchangeState({
    facts: { requestId: 'r1', tenantId: 't1', gateway, ...facts },
    request,
    ...(consumers === undefined ? {} : { consumers }),
  });
}
