import { startUpstream, temporaryFolder, eventually } from '@portcullis/testkit';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startGateway } from '../gateway.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo, settingsOf } from '../testing/test-gateway.test-support.ts';

it(
  'two gateways with one cache folder each start from their own configuration, however much the other one keeps',
  { timeout: 60_000 },
  async () => {
    await using folder = await temporaryFolder();
    await using upstreams = new AsyncDisposableStack();
    const nodes = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const upstream = upstreams.use(await startUpstream((_req, res) => void res.end(name)));
        const controlPlane = upstreams.use(new FakeControlPlane());
        controlPlane.token = `gwdp_of_${name}`;
        await controlPlane.listen();
        const settings = settingsOf(controlPlane.url, folder, { PORTCULLIS_DATA_PLANE_TOKEN: controlPlane.token });
        return { name, upstream, controlPlane, start: () => startGateway(settings, pino({ level: 'silent' })) };
      }),
    );
    for (const { upstream, controlPlane, start } of nodes) {
      // Every stop writes what is not on disk yet: the second one keeps more than a folder holds.
      for (let revision = 0; revision < (controlPlane === nodes[1]?.controlPlane ? 3 : 1); revision += 1) {
        controlPlane.publish(everythingTo(upstream.url, { name: `r${revision}` }));
        const gateway = await start();
        await eventually(() => controlPlane.acks.at(-1)?.revision === controlPlane.revision, { timeoutMs: 20_000 });
        await gateway.stop();
      }
    }
    for (const { name, controlPlane, start } of nodes) {
      controlPlane.failures.set('config', 503).set('stream', 503);
      const gateway = await start();
      const answer = await fetch(`http://127.0.0.1:${gateway.proxyPort}/`);
      expect([answer.status, await answer.text()]).toEqual([200, name]);
      await gateway.stop();
    }
  },
);
