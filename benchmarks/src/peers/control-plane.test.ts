import { gzipSync } from 'node:zlib';
import { configurationEnd, configurationHead, configurationRecord, observationBatch } from '@portcullis/resources';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { benchConfiguration } from './configuration.ts';
import { startControlPlane } from './control-plane.ts';
import { modes } from './terms.ts';

const token = 'gwdp_test';
const headers = { authorization: `Bearer ${token}` };
const document = benchConfiguration('policies', 9000);

const batch = (requests: number): string => {
  const zeros = { errors_4xx: 0, errors_5xx: 0, latency_sum_us: 0, request_bytes: 0, response_bytes: 0 };
  const counter = { minute: 1, requests, ...zeros, statuses: [], histogram: [], over: [] };
  const id = '0190a6e0-0000-7000-8000-000000000000';
  const body = { boot_id: id, sequence: 1, dropped_records: 0, counters: [counter, counter], records: [] };
  return JSON.stringify(v.parse(observationBatch, body));
};

describe('the control-plane stand-in', () => {
  it.each(modes)('has a configuration for %s that the real one could have sent', (mode) => {
    const lines = benchConfiguration(mode, 9000).text.trimEnd().split('\n');
    const [head, ...rest] = lines.map((line): unknown => JSON.parse(line));
    const end = rest.pop();
    expect(v.safeParse(configurationHead, head).issues).toBeUndefined();
    expect(v.safeParse(v.array(configurationRecord), rest).issues).toBeUndefined();
    expect(v.parse(configurationEnd, end).end.records).toBe(rest.length);
  });

  it('serves the configuration once, and 304 to whoever has it', async () => {
    await using plane = await startControlPlane(document, token);
    const url = `${plane.url}/api/v1/data-plane/config?since=0`;
    const first = await fetch(url, { headers });
    expect(await first.text()).toBe(document.text);
    const etag = first.headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(url)).status).toBe(401);
  });

  it('names its revision on the stream', async () => {
    await using plane = await startControlPlane(document, token);
    const answer = await fetch(`${plane.url}/api/v1/data-plane/stream`, { headers });
    const part = await answer.body?.getReader().read();
    expect(new TextDecoder().decode(part?.value)).toBe('event: revision\ndata: {"revision":1}\n\n');
  });

  it('takes reports and adds up the requests in them, compressed or not', async () => {
    await using plane = await startControlPlane(document, token);
    const post = async (path: string, body: string | Uint8Array<ArrayBuffer>): Promise<number> => {
      const answer = await fetch(`${plane.url}/api/v1/data-plane/${path}`, { method: 'POST', headers, body });
      return answer.status;
    };
    expect(await post('ack', '{}')).toBe(202);
    expect(await post('heartbeat', '{}')).toBe(202);
    expect(await post('observations', batch(3))).toBe(202);
    expect(await post('observations', new Uint8Array(gzipSync(batch(4))))).toBe(202);
    expect(plane.reported()).toBe(14);
    expect(plane.reported()).toBe(14);
    expect(await post('nowhere', '')).toBe(404);
  });
});
