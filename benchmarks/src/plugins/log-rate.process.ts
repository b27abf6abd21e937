/**
 * Has `http_log` tell of 20,000 requests a second while its sink takes half of them at most, and prints what that costs: processor time, memory,
 * and what became of the records.
 */
import { createEgress } from '@portcullis/egress';
import { createRuntime, ExchangeState } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { usual } from './usual-headers.ts';

const requestsPerSecond = 20_000;
const turnMs = 10;
const warmUpSeconds = 2;
const measuredSeconds = 6;

const sinkPort = process.argv[2] ?? '';
const isLogging = process.argv[3] === 'on';
const counted = new Map<string, number>();
const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
const config = { http_endpoint: `http://127.0.0.1:${sinkPort}/records` };
const runtime = createRuntime({
  plugins: builtInPlugins,
  instances: isLogging ? [{ id: 'log', name: 'http_log', trigger: 'both', config }] : [],
  outbound: egress,
  metricsOf: () => ({
    counter: (name) => ({ add: (count) => void counted.set(name, (counted.get(name) ?? 0) + count) }),
  }),
});
const gateway = { id: 'g1', name: 'edge' };
const chain = runtime.chainFor({ gateway });
const body = new TextEncoder().encode('{"orders":[]}');

function send(index: number): void {
  const exchange = new ExchangeState({
    facts: { requestId: `r${index}`, tenantId: 't1', gateway },
    request: {
      method: 'GET',
      scheme: 'http',
      host: 'api.test',
      path: '/orders',
      query: '',
      headers: [...usual],
      clientIp: '192.0.2.1',
    },
  });
  void chain.runRequest(exchange);
  exchange.setResponse({ status: 200, headers: ['content-type', 'application/json'], source: 'upstream', body });
  void chain.runResponse(exchange);
  exchange.end({ status: 200, isComplete: true, figures: { latencyMs: 3 } });
}

/** Sends at the rate, and catches up after a pause: the number is what counts. @returns requests sent */
async function sendFor(seconds: number): Promise<number> {
  const startedMs = performance.now();
  let sent = 0;
  while (performance.now() < startedMs + seconds * 1000) {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * requestsPerSecond);
    for (; sent < due; sent += 1) send(sent);
    // oxlint-disable-next-line no-await-in-loop -- the sink's calls get their turn
    await new Promise((resolve) => setTimeout(resolve, turnMs));
  }
  return sent;
}

await sendFor(warmUpSeconds);
globalThis.gc?.();
const before = process.memoryUsage();
const cpu = process.cpuUsage();
const requests = await sendFor(measuredSeconds);
const { user, system } = process.cpuUsage(cpu);
globalThis.gc?.();
const after = process.memoryUsage();
console.log(
  JSON.stringify({
    requests_per_second: requests / measuredSeconds,
    cpu_us_per_request: (user + system) / requests,
    heap_growth_bytes: after.heapUsed - before.heapUsed,
    rss_growth_bytes: after.rss - before.rss,
    ...Object.fromEntries(counted),
  }),
);
runtime.dispose();
await runtime.settled();
await egress.close();
