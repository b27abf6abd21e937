import { eventually, startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from './testing/test-gateway.test-support.ts';

describe('a gateway', () => {
  it('serves what the control plane sends, acknowledges it and reports every request', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const answer = await fetch(`${gateway.url}/a/b?c=d`, { method: 'POST', body: 'hello' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ method: 'POST', url: '/a/b?c=d', body: 'hello' });
    expect(gateway.controlPlane.acks).toMatchObject([{ revision: 1, status: 'applied', errors: [] }]);
    const batch = await eventually(() => gateway.controlPlane.batches[0]);
    expect(batch.counters).toMatchObject([{ route_id: 'route-1', service_id: 'service-1', requests: 1 }]);
    expect(batch.records).toMatchObject([{ path: '/a/b', status: 200, route_id: 'route-1' }]);
  });

  it.each(['/rx../secret', '/rx%2e%2e/secret', '/rx..;/secret', '/rx..%2fsecret', '/rx..'])(
    'never lets %s out of the path of the service of a regex route that strips',
    async (target) => {
      await using upstream = await startUpstream((req, res) => void res.end(req.url));
      await using gateway = await startTestGateway(everythingTo(`${upstream.url}/base`, { paths: ['~/rx'] }));
      const raw = await exchangeRaw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(raw).toMatch(/^HTTP\/1\.1 400 /);
      expect(await (await fetch(`${gateway.url}/rx/public`)).text()).toBe('/base/public');
    },
  );
});
