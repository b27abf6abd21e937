import { freePort, startUpstream } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

it("a gateway's own status port is none of its upstreams", async () => {
  await using gateway = await startTestGateway({});
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    await gateway.publish(everythingTo(gateway.statusUrl.replace('127.0.0.1', host)));
    const answer = await fetch(`${gateway.url}/config`);
    expect([host, answer.status, await answer.json()]).toMatchObject([host, 502, { code: 'upstream_refused' }]);
  }
});

it('what the operator lists is called neither by requests nor by probes', async () => {
  await using database = await startUpstream();
  await using other = await startUpstream();
  const env = { PORTCULLIS_REFUSED_ADDRESSES: `127.0.0.1:${database.port}, [::1]:${await freePort()}` };
  await using gateway = await startTestGateway(
    {
      ...everythingTo(database.url),
      upstreams: [{ id: 'u', name: 'u', healthchecks: { active: { type: 'tcp', healthy: { interval: 0.1 } } } }],
      targets: [{ id: 't', upstream_id: 'u', host: '127.0.0.1', port: database.port }],
    },
    env,
  );
  expect((await fetch(gateway.url)).status).toBe(502);
  await gateway.publish(everythingTo(other.url));
  expect((await fetch(gateway.url)).status).toBe(200);
  expect(database.requests).toEqual([]);
});
