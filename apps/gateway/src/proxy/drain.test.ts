import { eventually, startUpstream, temporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf } from '../testing/test-gateway.test-support.ts';

it('a gateway that stops says how many requests it cut when their time was over', { timeout: 60_000 }, async () => {
  let underway = 0;
  await using upstream = await startUpstream({
    stream: (_req, res) => {
      underway += 1;
      res.write('begun');
    },
  });
  await using controlPlane = new FakeControlPlane();
  await using folder = await temporaryFolder();
  await controlPlane.listen();
  controlPlane.publish(everythingTo(upstream.url));
  const lines: string[] = [];
  const settings = settingsOf(controlPlane.url, folder, { PORTCULLIS_DRAIN_SECONDS: '1' });
  const gateway = await startGateway(settings, pino({}, { write: (line) => void lines.push(line) }));
  await eventually(() => controlPlane.acks.length > 0, { timeoutMs: 20_000 });
  const answers = [1, 2].map(async () => (await fetch(`http://127.0.0.1:${gateway.proxyPort}/`)).text());
  const cut = Promise.allSettled(answers);
  await eventually(() => underway === 2, { timeoutMs: 20_000 });
  await gateway.stop();
  expect((await cut).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'stopped', requests_cut: 2 });
});
