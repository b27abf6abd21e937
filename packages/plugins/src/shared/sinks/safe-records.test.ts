import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { apmVendor } from '../../apm_vendor/index.ts';
import { auditEventStream } from '../../audit_event_stream/index.ts';
import { httpLog } from '../../http_log/index.ts';
import { tcpLog } from '../../tcp_log/index.ts';
import { udpLog } from '../../udp_log/index.ts';
import { startDatagramServer } from '../../testing/datagram-server.ts';
import { EmitterBench } from '../../testing/emitter-bench.ts';
import { startHttpSink } from '../../testing/http-sink.ts';
import { startLineServer } from '../../testing/line-server.ts';
import type { BuiltIn } from '../built-in.ts';

/** Whatever a terminal acts on, or a reader of lines ends a line at. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/u;

const hostile = 'x\u009b2J\u0085\u007f\u001b[2Jz';

async function send(builtIn: BuiltIn, config: object): Promise<void> {
  const bench = new EmitterBench(builtIn, config);
  await bench.send({ headers: ['user-agent', hostile] });
  await bench.dispose();
}

describe('what a client writes to a terminal', () => {
  it.each([
    ['http_log', httpLog, 'http_endpoint', {}],
    ['audit_event_stream', auditEventStream, 'audit_endpoint', {}],
    ['CloudEvents', auditEventStream, 'audit_endpoint', { content_type: 'application/cloudevents+json' }],
    ['apm_vendor', apmVendor, 'endpoint', {}],
  ])('is escaped in what %s sends', async (_name, builtIn, field, config) => {
    await using sink = await startHttpSink();
    await send(builtIn, { ...config, [field]: sink.url });
    const sent = String(sink.requests[0]?.body);
    expect(sent).not.toMatch(UNSAFE);
    expect(sent).toContain(String.raw`x\u009b2J\u0085\u007f\u001b[2Jz`);
    const [record = {}] = sink.records();
    expect({ ...record, ...(record['data'] as object | undefined) }).toMatchObject({ user_agent: hostile });
  });

  it('is escaped in lines and datagrams', async () => {
    await using lines = await startLineServer();
    await using datagrams = await startDatagramServer();
    await send(tcpLog, { host: 'logs.test', port: lines.port });
    await send(udpLog, { host: 'logs.test', port: datagrams.port });
    await eventually(() => lines.lines().length === 1 && datagrams.datagrams().length === 1);
    for (const sent of [lines.lines()[0], datagrams.datagrams()[0]]) {
      expect(sent).not.toMatch(UNSAFE);
      expect(JSON.parse(sent ?? '')).toMatchObject({ user_agent: hostile });
    }
  });
});
