import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { aiRagInjector } from '../../ai_rag_injector/index.ts';
import { cloudGuardrails } from '../../cloud_guardrails/index.ts';
import { ChatBench, startService } from './chat-bench.test-support.ts';
import { REQUEST_CONTAINERS_MAX } from './json-shape.ts';

const REQUESTS = 10;
/** Parsed, each has more than four megabytes. */
const HEAP_BYTES_MAX = 15_000_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const headers = ['content-type', 'application/json', 'content-encoding', 'gzip'];

/** A chat that is little as sent and much when parsed. */
function grownChat(containers: number): Uint8Array {
  const noise = Array.from({ length: 3000 }, (_, at) => (at * 2_654_435_761) % 4_294_967_296).join('');
  return gzipSync(`{"messages":[{"role":"user","content":"hi"}],"p":"${noise}","x":[${'{},'.repeat(containers)}1]}`);
}

describe.each([
  ['ai_rag_injector', aiRagInjector, (url: string) => ({ retrieval_url: url })],
  [
    'cloud_guardrails',
    cloudGuardrails,
    (url: string) => ({
      ...{ endpoint_url: url, guardrail_id: 'g', region: 'eu-central-1' },
      ...{ access_key_id: 'a', secret_access_key: 'b' },
    }),
  ],
] as const)('%s', (_name, plugin, configOf) => {
  it('keeps no parsed request while its service takes its time', async () => {
    await using service = await startService();
    service.behave(() => undefined);
    await using bench = new ChatBench(plugin, { ...configOf(service.url), timeout_seconds: 30 });
    const body = grownChat(REQUEST_CONTAINERS_MAX - 10);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const asked = Array.from({ length: REQUESTS }, () => bench.ask(body, { headers }));
    await eventually(() => expect(service.requests.length).toBe(REQUESTS));
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(HEAP_BYTES_MAX);
    await service[Symbol.asyncDispose]();
    await Promise.all(asked);
  });

  it('refuses a request that would grow too much', async () => {
    await using service = await startService();
    await using bench = new ChatBench(plugin, configOf(service.url));
    const { response } = await bench.ask(grownChat(REQUEST_CONTAINERS_MAX), { headers });
    expect([response.status, service.requests.length]).toEqual([413, 0]);
  });
});
