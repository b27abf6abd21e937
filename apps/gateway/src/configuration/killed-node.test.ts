import { fileURLToPath } from 'node:url';
import { eventually, startProcess, startUpstream, temporaryFolder, type RunningProcess } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { FakeControlPlane, testToken } from '../testing/fake-control-plane.test-support.ts';
import { everythingTo } from '../testing/test-gateway.test-support.ts';

const args = ['--conditions=@portcullis/source', fileURLToPath(new URL('../main.ts', import.meta.url))];

/** Kills in a row. More of them find the same: the states of the files are tried one by one in the cache's own test. */
const kills = 2;

function portOf(child: RunningProcess): number | undefined {
  const line = child
    .stdout()
    .split('\n')
    .find((text) => text.includes('"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as { proxy_port: number }).proxy_port;
}

it(
  'a node that is killed in a burst of changes serves one published configuration whole after its restart, and none from before',
  { timeout: 60_000 },
  async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using controlPlane = new FakeControlPlane();
    await using folder = await temporaryFolder();
    const env = {
      PORTCULLIS_CONTROL_PLANE_URL: await controlPlane.listen(),
      PORTCULLIS_DATA_PLANE_TOKEN: testToken,
      PORTCULLIS_CACHE_DIR: folder.path,
      PORTCULLIS_PROXY_PORT: '0',
      PORTCULLIS_PROXY_TLS_PORT: '0',
      PORTCULLIS_STATUS_PORT: '0',
    };
    const publish = (): number => {
      const next = controlPlane.revision + 1;
      // Enough to take some slices, and a path that tells the revision.
      const many = Array.from({ length: 500 }, (_, at) => ({
        id: `m${at}`,
        name: `m${at}`,
        paths: [`/m${at}/${next}`],
      }));
      const { services = [], routes = [] } = everythingTo(upstream.url, { paths: [`/at-${next}`] });
      return controlPlane.publish({ services, routes: [...routes, ...many] });
    };
    publish();
    for (let kill = 0; kill < kills; kill += 1) {
      const child = await startProcess({ args, env, readyWhen: (running) => portOf(running) !== undefined });
      const acknowledged = controlPlane.acks.length;
      await eventually(() => controlPlane.acks.length > acknowledged, { timeoutMs: 20_000 });
      // The first one of a process is on disk before it is acknowledged; of a burst after it the disk may have any.
      const kept = controlPlane.acks.at(acknowledged)?.revision;
      for (let change = 0; change < 4 + kill * 3; change += 1) {
        publish();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await child.kill('SIGKILL');
      controlPlane.failures.set('config', 503).set('stream', 503);
      const revived = await startProcess({ args, env, readyWhen: (running) => portOf(running) !== undefined });
      const served: number[] = [];
      for (let revision = 1; revision <= controlPlane.revision; revision += 1) {
        const answer = await fetch(`http://127.0.0.1:${portOf(revived) ?? 0}/at-${revision}`);
        if (answer.status === 200) served.push(revision);
        else expect(answer.status).toBe(404);
      }
      // Exactly one revision, whole: its own route and none of another one.
      expect(served).toHaveLength(1);
      const [revision = 0] = served;
      expect(revision).toBeGreaterThanOrEqual(kept ?? Number.POSITIVE_INFINITY);
      const other = await fetch(`http://127.0.0.1:${portOf(revived) ?? 0}/m7/${revision}`);
      expect(await other.text()).not.toContain('no_route');
      await revived.kill('SIGKILL');
      controlPlane.failures.clear();
    }
  },
);
