import { hash } from 'node:crypto';
import { eventually, startUpstream } from '@portcullis/testkit';
import { configurationFormats, writeConfiguration } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

const sha256 = (text: string): string => hash('sha256', text);

/** A whole configuration's text for a place, with one route. */
function textFor(place: {
  readonly tenantId?: string;
  readonly gatewayId?: string;
  readonly revision?: number;
}): string {
  const { tenantId = 'acme', gatewayId = 'gateway-1', revision = 2 } = place;
  const resources = { gateway: { id: gatewayId, name: 'main' }, routes: [{ id: 'r', name: 'foreign', paths: ['/'] }] };
  return writeConfiguration({ tenantId, revision }, resources, sha256).text;
}

const good = textFor({});
const edited = (edit: (lines: string[]) => string[]): string => `${edit(good.trimEnd().split('\n')).join('\n')}\n`;
const withHead = (change: object): string =>
  edited(([head = '', ...rest]) => [JSON.stringify({ ...(JSON.parse(head) as object), ...change }), ...rest]);

describe('a faulty control plane', () => {
  it.each([
    ['another hash', withHead({ hash: 'f'.repeat(64) })],
    ['a record that was changed on its way', good.replace('foreign', 'f0reign')],
    ['no last line', edited((lines) => lines.slice(0, -1))],
    ['a cut last line', good.slice(0, -6)],
    ['a line twice', edited(([head = '', first = '', ...rest]) => [head, first, first, ...rest])],
    ['a line that is missing', edited(([head = '', , ...rest]) => [head, ...rest])],
    ['lines after the end', `${good}${good}`],
    ['a delta of something else', withHead({ since: { revision: 1, hash: 'a'.repeat(64) } })],
    ['the configuration of another tenant', textFor({ tenantId: 'globex' })],
    ['the configuration of another gateway', textFor({ gatewayId: 'gateway-2' })],
    ['garbage', '\u0000\u0001garbage\n\n{}'],
    ['nothing', ''],
    ['HTML', '<html>502 Bad Gateway</html>'],
  ])('that sends %s changes nothing, and the next good configuration is served', async (_name, text) => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    gateway.controlPlane.publishText(text);
    const asked = gateway.controlPlane.asked.length;
    await eventually(() => gateway.controlPlane.asked.length > asked);
    for (let time = 0; time < 5; time += 1) expect(await (await fetch(gateway.url)).text()).toBe('served');
    await gateway.publish(everythingTo(upstream.url, { paths: ['/next'] }));
    expect(
      gateway.controlPlane.acks.filter(({ status }) => status === 'applied').map(({ revision }) => revision),
    ).toEqual([1, 3]);
    expect((await fetch(gateway.url)).status).toBe(404);
    expect((await fetch(`${gateway.url}/next`)).status).toBe(200);
  });

  it('that sends a form which the gateway does not know is told so, and not asked for it again', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const head = { format: 1 + Math.max(...configurationFormats), revision: 2, hash: 'b'.repeat(64) };
    gateway.controlPlane.publishText(`${JSON.stringify(head)}\n`, head.hash);
    const refusal = await eventually(() => gateway.controlPlane.acks.find(({ status }) => status === 'rejected'));
    expect(refusal).toMatchObject({
      revision: 2,
      hash: head.hash,
      errors: [{ pointer: '/format', code: 'format_unknown' }],
    });
    expect(await (await fetch(gateway.url)).text()).toBe('served');
    await gateway.publish(everythingTo(upstream.url, { name: 'renamed' }));
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ revision: 3, status: 'applied' });
  });

  it('that sends a delta which does not come to its hash is asked for everything', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    let deltas = 0;
    gateway.controlPlane.onConfiguration = (request, response) => {
      const since = /since=(\d+)/.exec(request.url ?? '')?.[1];
      if (since === undefined || gateway.controlPlane.revision === Number(since)) return false;
      deltas += 1;
      const [tag = ''] = /[0-9a-f]{64}/.exec(request.headers['if-none-match'] ?? '') ?? [];
      const place = { format: 2, tenant_id: 'acme', gateway_id: 'gateway-1', revision: gateway.controlPlane.revision };
      const lines = [
        { ...place, hash: 'c'.repeat(64), since: { revision: Number(since), hash: tag } },
        { family: 'routes', removed: 'route-1' },
        { end: { records: 0, removals: 1, total: 2 } },
      ];
      response.writeHead(200).end(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
      return true;
    };
    await gateway.publish(everythingTo(upstream.url, { paths: ['/moved'] }));
    expect(deltas).toBe(1);
    expect(gateway.controlPlane.asked.at(-1)).not.toContain('since=');
    expect((await fetch(`${gateway.url}/moved`)).status).toBe(200);
  });

  it('that went back to an older revision is followed: it was restored', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    await gateway.publish(everythingTo(upstream.url, { name: 'second' }));
    const older = textFor({ revision: 1 });
    gateway.controlPlane.publishText(older, (JSON.parse(older.split('\n')[0] ?? '') as { hash: string }).hash);
    await eventually(
      async () => (await fetch(gateway.url)).status === 503 || (await fetch(gateway.url)).status !== 200,
    );
    expect(gateway.controlPlane.acks.at(-1)).toMatchObject({ revision: 1, status: 'applied' });
  });

  it('that leaves a target without an address out of use has the rest served, and is told', async () => {
    await using upstream = await startUpstream((_req, res) => void res.end('served'));
    const { hostname, port } = new URL(upstream.url);
    const resources = {
      services: [{ id: 's', name: 's', upstream_id: 'u' }],
      upstreams: [{ id: 'u', name: 'u' }],
      targets: [
        { id: 'bad', upstream_id: 'u', name: 'x' },
        { id: 'good', upstream_id: 'u', host: hostname, port: Number(port) },
      ],
      routes: [{ id: 'r', name: 'r', service_id: 's', paths: ['/'] }],
    };
    await using gateway = await startTestGateway(resources);
    expect(gateway.controlPlane.acks[0]).toMatchObject({
      status: 'applied',
      errors: [{ pointer: '/resources/targets/bad', message: 'has no host and port' }],
    });
    expect(await (await fetch(gateway.url)).text()).toBe('served');
  });
});
