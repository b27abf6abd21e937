import { createEgress } from '@portcullis/egress';
import { createRuntime, ExchangeState, type Runtime } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import type { SoakSinks } from './soak-sinks.ts';

/** A chain of eight plugins, and what became of its records. */
export interface SoakChain extends AsyncDisposable {
  /** Sends one request through, with its answer and its end. @returns what the client and the service would have got */
  send(index: number): Promise<SoakedRequest>;
  /** Records that its plugins could not deliver. */
  readonly dropped: () => number;
}

/** Bodies as they came out of the chain, as JSON text. */
export interface SoakedRequest {
  readonly toService: string;
  readonly toClient: string;
}

/** Two that identify and choose, four that change bodies and headers, two that tell of it. */
const pluginsOf = ({ httpUrl, tcpPort }: SoakSinks) => [
  { name: 'correlation_id', config: { echo_response: true } },
  { name: 'sampling', config: { rate: 1, seed: 1 } },
  { name: 'request_transformer', config: { set_headers: { 'x-soak': 'yes' }, add_json_fields: { channel: 'web' } } },
  { name: 'json_transform', config: { target: 'both', remove: ['$.internal'], set: { '$.customer.region': 'eu' } } },
  { name: 'masking_transform', config: { target: 'both', json_paths: ['$..password'] } },
  { name: 'response_transformer', config: { set_headers: { 'x-soak': 'yes' }, add_json_fields: { served: true } } },
  { name: 'http_log', config: { http_endpoint: httpUrl, include_headers: true } },
  { name: 'tcp_log', config: { host: '127.0.0.1', port: tcpPort } },
];

const gateway = { id: 'g1', name: 'edge' };
const encoder = new TextEncoder();

/** Makes it, on the real way out. */
export function makeSoakChain(sinks: SoakSinks): SoakChain {
  const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
  let dropped = 0;
  const runtime: Runtime = createRuntime({
    plugins: builtInPlugins,
    instances: pluginsOf(sinks).map((one, index) => ({
      id: `p${index}`,
      trigger: 'all',
      priority: 100 - index,
      ...one,
    })),
    tenantId: 't1',
    outbound: egress,
    metricsOf: () => ({
      counter: (name) => ({ add: (count) => void (/dropped|failed/.test(name) && (dropped += count)) }),
    }),
  });
  const chain = runtime.chainFor({ gateway });
  return {
    dropped: () => dropped,
    async send(index) {
      const body = bodyOf(index);
      const exchange = new ExchangeState({
        facts: { requestId: `r${index}`, tenantId: 't1', gateway },
        request: {
          method: 'POST',
          scheme: 'http',
          host: 'api.test',
          path: `/orders/${index}`,
          query: 'page=2',
          headers: ['content-type', 'application/json', 'authorization', 'Bearer secret'],
          clientIp: '192.0.2.1',
          readBody: () => Promise.resolve(body),
        },
      });
      if ((await chain.runRequest(exchange)) !== 'continue') throw new Error('the chain refused a request');
      exchange.setResponse({ status: 200, headers: ['content-type', 'application/json'], source: 'upstream', body });
      await chain.runResponse(exchange);
      exchange.end({ status: 200, isComplete: true });
      return { toService: textOf(exchange.request.body), toClient: textOf(exchange.response.body) };
    },
    async [Symbol.asyncDispose]() {
      runtime.dispose();
      await runtime.settled();
      await egress.close();
    },
  };
}

function bodyOf(index: number): Uint8Array {
  const customer = { name: `customer ${index}`, password: 'secret', notes: 'x'.repeat(index % 2000) };
  return encoder.encode(JSON.stringify({ id: index, internal: { cost: 1 }, customer }));
}

function textOf(body: Uint8Array | undefined): string {
  return new TextDecoder().decode(body);
}
