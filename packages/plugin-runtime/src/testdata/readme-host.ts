import { ExchangeState, LiveRuntime, createRuntime } from '@portcullis/plugin-runtime';
import { apiKey } from './readme-plugin.ts';

const gateway = { id: 'g1', name: 'edge' };
const options = { plugins: [apiKey], instances: [{ id: 'i1', name: 'api_key', config: { keys: { k1: 'acme' } } }] };
const live = new LiveRuntime(createRuntime(options), (runtime) => runtime.chainFor({ gateway }));

/** One request of your own protocol: its key in, who it is out. */
export async function identify(key: string): Promise<string | undefined> {
  const lease = live.acquire();
  try {
    const exchange = new ExchangeState({
      facts: { requestId: 'r1', tenantId: 't1', gateway },
      request: {
        ...{ method: 'GET', scheme: 'http', host: 'api.test', path: '/', query: '' },
        headers: ['x-api-key', key],
        clientIp: '192.0.2.1',
      },
    });
    const result = lease.served.runRequest(exchange);
    return (typeof result === 'string' ? result : await result) === 'continue' ? exchange.consumer?.id : undefined;
  } finally {
    lease.release();
  }
}

/** Another configuration, at once; requests in flight end on theirs. */
export function learn(keys: Record<string, string>): void {
  const instances = [{ id: 'i1', name: 'api_key', config: { keys } }];
  live.swap(createRuntime({ ...options, instances, previous: live.runtime }));
}
