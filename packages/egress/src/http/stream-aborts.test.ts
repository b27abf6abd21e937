import { eventually, freePort, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AddressPolicy } from '../address/address-policy.ts';
import { VettedAddresses } from '../address/vetted-addresses.ts';
import { createEgress } from '../egress.ts';
import { StreamCaller } from './stream-caller.ts';
import { begin, HeardCall, patientMs, startRaw } from './stream.test-support.ts';

const allowed = [{ address: '127.0.0.0', bits: 8 }];
const times = { connectTimeoutMs: patientMs, headTimeoutMs: patientMs, idleTimeoutMs: patientMs };

describe('a call whose answer streams is given up', () => {
  it('in any phase, and its listener hears nothing more', async () => {
    const lookups: ((addresses: readonly string[]) => void)[] = [];
    await using server = await startRaw((socket, asked) => {
      if (asked.includes('/body')) socket.write('HTTP/1.1 200 OK\r\n\r\npart');
    });
    const egress = createEgress({ allowed, lookup: () => new Promise((resolve) => lookups.push(resolve)) });
    const atOnce = begin(egress, { url: server.url });
    atOnce.call?.abort();
    const resolving = begin(egress, { url: `http://name.test:${server.port}/` });
    await eventually(() => lookups.length === 1);
    resolving.call?.abort();
    lookups[0]?.(['127.0.0.1']);
    const waiting = begin(egress, { url: server.url });
    await eventually(() => server.sockets.some(({ bytesRead }) => bytesRead > 0));
    waiting.call?.abort();
    const inBody = begin(egress, { url: `${server.url}body` });
    await eventually(() => inBody.bytes > 0);
    inBody.call?.abort();
    const refused = begin(egress, { url: 'ftp://name.test/' });
    refused.call?.abort();
    await eventually(() => server.sockets.length >= 3 && server.sockets.every(({ destroyed }) => destroyed));
    for (const { call } of [atOnce, resolving, waiting, inBody, refused]) {
      call?.abort();
      call?.resume();
    }
    expect([atOnce, resolving, waiting, refused].flatMap(({ heard }) => heard)).toEqual([]);
    expect(inBody.heard).toEqual(['head 200', 'data part']);
    await egress.close();
  });

  it('by its own listener, within what it hears', async () => {
    await using server = await startUpstream((_req, res) => void res.end('body'));
    const egress = createEgress({ allowed });
    const heard = new HeardCall();
    heard.onHead = () => {
      heard.heard.push('head');
      heard.call?.abort();
    };
    heard.call = egress.open({ url: server.url, ...times }, heard);
    await eventually(() => heard.heard.length > 0);
    expect((await begin(egress, { url: server.url }).over()).at(-1)).toBe('end');
    expect(heard.heard).toEqual(['head']);
    await egress.close();
  });

  it('when the way out closes, in the middle of it', async () => {
    await using server = await startRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\npart'));
    const egress = createEgress({ allowed });
    const call = begin(egress, { url: server.url });
    await eventually(() => call.bytes > 0);
    await egress.close();
    expect(await call.over()).toEqual(['head 200', 'data part', 'failed unreachable']);
  });

  it('when a name, or a connection, takes too long', async () => {
    const egress = createEgress({ allowed, lookup: () => new Promise(() => undefined) });
    const call = begin(egress, { url: 'http://name.test/', connectTimeoutMs: 50 });
    expect(await call.over()).toEqual(['failed timeout']);
    await egress.close();
  });

  it('when nobody listens', async () => {
    const egress = createEgress({ allowed });
    const call = begin(egress, { url: `http://127.0.0.1:${await freePort()}/` });
    expect(await call.over()).toEqual(['failed unreachable']);
    expect(call.failure?.message).toContain('ECONNREFUSED');
    await egress.close();
  });
});

describe('calls whose answers stream are bounded', () => {
  const callerWith = (limits: ConstructorParameters<typeof StreamCaller>[2]): StreamCaller => {
    const addresses = new VettedAddresses(new AddressPolicy({ allowed }), async () => ['127.0.0.1']);
    return new StreamCaller(addresses, [], limits);
  };
  const start = (caller: StreamCaller, url: string): HeardCall => {
    const heard = new HeardCall();
    heard.call = caller.open({ url, ...times }, heard);
    return heard;
  };

  it('in all and to one origin: one more fails at once, and has its place when another is over', async () => {
    await using server = await startRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\npart'));
    await using other = await startRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\npart'));
    const caller = callerWith({ streamsMax: 3, streamsPerOriginMax: 2, streamOriginsMax: 10 });
    const calls = [start(caller, server.url), start(caller, server.url)];
    expect(await start(caller, server.url).over()).toEqual(['failed unreachable']);
    const third = start(caller, other.url);
    expect(await start(caller, other.url).over()).toEqual(['failed unreachable']);
    await eventually(() => [...calls, third].every(({ bytes }) => bytes > 0));
    calls[0]?.call?.abort();
    const next = start(caller, server.url);
    await eventually(() => next.bytes > 0);
    await caller.close();
  });

  it('in origins: the place of one without calls is taken', async () => {
    await using one = await startUpstream();
    await using held = await startRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\npart'));
    const caller = callerWith({ streamsMax: 9, streamsPerOriginMax: 9, streamOriginsMax: 2 });
    await start(caller, one.url).over();
    const streams = start(caller, held.url);
    await eventually(() => streams.bytes > 0);
    await using two = await startRaw((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\npart'));
    const second = start(caller, two.url);
    await eventually(() => second.bytes > 0);
    expect(await start(caller, one.url).over()).toEqual(['failed unreachable']);
    await caller.close();
  });
});
