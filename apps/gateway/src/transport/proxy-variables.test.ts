import { createEgress } from '@portcullis/egress';
import { listenOn, startUpstream } from '@portcullis/testkit';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => void vi.unstubAllEnvs());

/** A proxy resolves names itself: whoever it calls was judged by nobody. */
it('calls go through no proxy that the environment names', async () => {
  const host = '127.0.0.1';
  await using proxy = await listenOn([host]);
  await using upstream = await startUpstream((_req, res) => void res.end('here'));
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) {
    for (const variable of [name, name.toUpperCase()]) vi.stubEnv(variable, `http://${host}:${proxy.port}`);
  }
  const egress = createEgress({ lookup: async () => [host], allowed: [{ address: host }] });
  try {
    const url = upstream.url.replace(host, 'name.test');
    const answer = await egress.request({ url, timeoutMs: 30_000, responseBytesMax: 100 });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, 'here']);
    expect(proxy.accepted(host)).toBe(0);
  } finally {
    await egress.close();
  }
});
