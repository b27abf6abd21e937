import { createServer, type Server } from 'node:http';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { system } from '../adapters/system.ts';
import { FakeControlPlane, testToken } from '../testing/fake-control-plane.test-support.ts';
import { ControlPlaneClient } from './control-plane-client.ts';
import { Follower, type FollowerPorts, type Judgement } from './follower.ts';

/** Short enough to test with, long enough for a busy machine to answer in. */
const times = {
  answerTimeoutMs: 500,
  wholeTimeoutMs: 500,
  firstEventMs: 300,
  bodyWindowMs: 200,
  streamSilenceMs: 2000,
};

/** A follower whose documents are only counted. */
function following(url: string, ports: Partial<FollowerPorts> = {}) {
  const client = new ControlPlaneClient(url, testToken, system.monotonicMs, times);
  const seen: number[] = [];
  const connected: (readonly [boolean, string])[] = [];
  let known: { revision: number; hash: string } | undefined;
  const follower = new Follower({
    client,
    random: () => 0,
    monotonicMs: system.monotonicMs,
    known: () => known,
    onDocument: async (pieces): Promise<Judgement> => {
      known = JSON.parse(pieces.join('').split('\n')[0] ?? '') as typeof known;
      seen.push(known?.revision ?? 0);
      return 'judged';
    },
    onUnchanged: () => undefined,
    onConnected: (...state) => void connected.push(state),
    times: { waitSeconds: 5 },
    ...ports,
  });
  follower.start();
  return {
    seen,
    connected,
    [Symbol.asyncDispose]: async () => {
      await follower.stop();
      await client.close();
    },
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('following the control plane', () => {
  it('falls back by itself to held requests when the stream brings nothing, and returns to the stream', async () => {
    await using controlPlane = new FakeControlPlane();
    await controlPlane.listen();
    controlPlane.publish({});
    controlPlane.mutesStreams = true;
    await using node = following(controlPlane.url, { times: { waitSeconds: 20, silentRetryMs: 50 } });
    await eventually(() => controlPlane.asked.some((url) => url.includes('wait=20')));
    controlPlane.publish({ routes: [{ id: 'a' }] });
    await eventually(() => node.seen.includes(2));
    controlPlane.mutesStreams = false;
    // Once the stream works again, what it tells is asked for without a wait.
    await eventually(async () => {
      const revision = controlPlane.publish({ routes: [{ id: `${controlPlane.revision}` }] });
      await eventually(() => node.seen.includes(revision));
      return controlPlane.asked.at(-1)?.includes('wait=') === false;
    });
    expect(node.seen).toEqual(node.seen.toSorted((a, b) => a - b));
  });

  it('gives a control plane up that accepts and never answers, and comes back', async () => {
    await using controlPlane = new FakeControlPlane();
    await controlPlane.listen();
    controlPlane.publish({});
    controlPlane.silent.add('config').add('stream');
    await using node = following(controlPlane.url);
    await eventually(() => node.connected.some(([isConnected]) => !isConnected));
    controlPlane.silent.clear();
    await eventually(() => node.seen.includes(1));
    expect(node.connected.at(-1)).toEqual([true, '']);
  });

  it('waits longer for the begin of a whole configuration, which takes a control plane its time, than for news', async () => {
    const asked = Promise.withResolvers<() => void>();
    const server = createServer((request, response) => {
      if (request.url?.includes('since') === false) asked.resolve(() => void response.end('everything'));
    });
    const url = await listening(server);
    const client = new ControlPlaneClient(url, testToken, system.monotonicMs, { ...times, wholeTimeoutMs: 600_000 });
    const { signal } = new AbortController();
    const whole = client.configuration(undefined, signal);
    const news = await client.configuration({ revision: 1, hash: 'a' }, signal);
    expect(news.kind).toBe('unavailable');
    (await asked.promise)();
    expect(await whole).toEqual({ kind: 'document', pieces: ['everything', ''] });
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  it('gives up what trickles in byte by byte', async () => {
    let requests = 0;
    let isSlow = true;
    const server = createServer((request, response) => {
      if (request.url?.includes('stream') === true) {
        response.writeHead(503).end();
        return;
      }
      requests += 1;
      const text = `${JSON.stringify({ revision: 7, hash: 'a' })}\n`;
      response.writeHead(200);
      if (!isSlow) {
        response.end(text);
        return;
      }
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const url = await listening(server);
    await using node = following(url);
    await eventually(() => requests > 1);
    expect(node.connected).toContainEqual([false, 'the configuration comes in too slowly']);
    isSlow = false;
    await eventually(() => node.seen.includes(7));
    server.close();
    server.closeAllConnections();
  });

  it('asks for everything once a delta was unfit, and never in a tight loop', async () => {
    await using controlPlane = new FakeControlPlane();
    await controlPlane.listen();
    controlPlane.publish({});
    let judged = 0;
    await using node = following(controlPlane.url, {
      known: () => ({ revision: 1, hash: 'd'.repeat(64) }),
      onDocument: async () => {
        judged += 1;
        return 'unfit';
      },
    });
    await eventually(() => judged >= 3);
    const [first = '', second = ''] = controlPlane.asked;
    expect([first.includes('since=1'), second.includes('since=')]).toEqual([true, false]);
    expect(node.seen).toEqual([]);
  });
});
