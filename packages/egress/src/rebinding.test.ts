import { expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import { listenOn } from '@portcullis/testkit';

/** Stands for the public internet, which tests have none of: the operator lists it. */
const open = '127.0.0.2';
/** What must never be connected to. */
const closed = '127.0.0.1';

const flips = 1000;
const bounds = { timeoutMs: 30_000, responseBytesMax: 1000 };

it('a name that changes its mind leads to no private address, whichever answer comes when', async () => {
  await using listener = await listenOn([open, closed]);
  const answers = [[open], [closed], [closed, open], [open, closed]];
  let asked = 0;
  const lookup = async (): Promise<readonly string[]> => answers[asked++ % answers.length] ?? [];
  const egress = createEgress({ lookup, allowed: [{ address: open }] });
  const outcomes: Record<string, number> = {};
  for (let flip = 0; flip < flips; flip += 1) {
    const call = egress.request({ url: `http://name.test:${listener.port}/`, ...bounds });
    const outcome = await call.then(
      ({ status }) => `${status}`,
      ({ code }: { code: string }) => code,
    );
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  expect(outcomes).toEqual({ 200: (flips * 3) / 4, refused: flips / 4 });
  // One question for each connection: nobody resolves again between judging and connecting.
  expect([asked, listener.accepted(open), listener.accepted(closed)]).toEqual([flips, (flips * 3) / 4, 0]);
  await egress.close();
});

it('a kept connection stays with the address that was judged', async () => {
  await using listener = await listenOn([open, closed], (_req, res) => res.end('here'));
  let answer = [open];
  const egress = createEgress({ lookup: async () => answer, allowed: [{ address: open }] });
  const url = `http://name.test:${listener.port}/`;
  expect((await egress.request({ url, ...bounds })).status).toBe(200);
  answer = [closed];
  for (let call = 0; call < 20; call += 1) await egress.request({ url, ...bounds }).catch(() => undefined);
  expect(listener.accepted(closed)).toBe(0);
  await egress.close();
});

it('a redirect to a name that has turned is refused', async () => {
  let isTurned = false;
  await using listener = await listenOn([open, closed], (_req, res) => {
    isTurned = true;
    res.writeHead(302, { location: '/next', connection: 'close' }).end();
  });
  const lookup = async (): Promise<readonly string[]> => [isTurned ? closed : open];
  const egress = createEgress({ lookup, allowed: [{ address: open }] });
  const call = egress.request({ url: `http://name.test:${listener.port}/`, redirectsMax: 3, ...bounds });
  await expect(call).rejects.toMatchObject({ code: 'refused' });
  expect([listener.accepted(open), listener.accepted(closed)]).toEqual([1, 0]);
  await egress.close();
});

it('resolves to the addresses that may be called, and asks once for all who ask at the same time', async () => {
  let asked = 0;
  const lookup = async (): Promise<readonly string[]> => {
    asked += 1;
    return [closed, open, '::1', '10.0.0.1', '9.9.9.9'];
  };
  const egress = createEgress({ lookup, allowed: [{ address: open }] });
  const both = await Promise.all([egress.resolve('Name.Test', 389), egress.resolve('name.test.', 389)]);
  const vetted = [
    { address: open, family: 4, port: 389 },
    { address: '9.9.9.9', family: 4, port: 389 },
  ];
  expect([both, asked]).toEqual([[vetted, vetted], 1]);
});

it('names that do not resolve are unreachable, and an answer that never comes ends with its caller', async () => {
  const failing = createEgress({
    lookup: async () => {
      throw Object.assign(new Error('no such name at 10.0.0.53'), { code: 'ENOTFOUND' });
    },
  });
  await expect(failing.resolve('name.test', 1)).rejects.toMatchObject({
    code: 'unreachable',
    message: 'the name cannot be resolved (ENOTFOUND)',
  });
  await expect(createEgress({ lookup: async () => [] }).resolve('name.test', 1)).rejects.toMatchObject({
    code: 'unreachable',
  });
  const caller = new AbortController();
  const silent = createEgress({ lookup: () => new Promise(() => undefined) });
  const waiting = silent.resolve('name.test', 1, caller.signal);
  caller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  await expect(silent.request({ url: 'http://name.test/', timeoutMs: 20, responseBytesMax: 1 })).rejects.toMatchObject({
    code: 'timeout',
  });
  await silent.close();
});
