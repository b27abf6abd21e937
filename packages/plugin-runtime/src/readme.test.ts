import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleSizes, TABLE } from '../scripts/bundle-sizes.ts';
import { identify, learn } from './testdata/readme-host.ts';
import { app } from './testdata/readme-hono.ts';
import { server } from './testdata/readme-node.ts';
import { handle as traced } from './testdata/readme-otel.ts';
import { passed, refused } from './testdata/readme-testing.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies?: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
};
const key = { 'x-api-key': 'k1' };

describe('the README', () => {
  it.each([
    'readme-example',
    'readme-plugin',
    'readme-hono',
    'readme-node',
    'readme-testing',
    'readme-otel',
    'readme-host',
  ])('shows %s as it runs here', (name) => {
    const code = readFileSync(join(import.meta.dirname, `testdata/${name}.ts`), 'utf8');
    expect(readme).toContain(`\`\`\`ts\n${code}\`\`\``);
  });

  it('its Hono app knows its clients', async () => {
    const [unknown, known] = [await app.request('/'), await app.request('/', { headers: key })];
    expect([unknown.status, await known.text()]).toEqual([401, 'hello, acme']);
  });

  it('its server knows its clients', async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const [unknown, known] = [await fetch(url), await fetch(url, { headers: key })];
    expect([unknown.status, await known.text()]).toEqual([401, 'hello, acme']);
    server.closeAllConnections();
    server.close();
  });

  it('its test and its traced handler do what it says', async () => {
    expect([passed.consumer?.id, refused.status, refused.forwarded]).toEqual(['acme', 401, undefined]);
    expect((await traced(new Request('http://a.test/', { headers: key }))).status).toBe(200);
  });

  it('its host identifies, and learns', async () => {
    expect([await identify('k1'), await identify('k2')]).toEqual(['acme', undefined]);
    learn({ k2: 'globex' });
    expect([await identify('k1'), await identify('k2')]).toEqual([undefined, 'globex']);
  });

  it('says how large the bundles are, within a fifth, and what they import', async () => {
    const said = new Map(
      (TABLE.exec(readme)?.[0] ?? '')
        .split('\n')
        .slice(2)
        .map((row) => row.split('|').map((cell) => cell.trim()))
        .map(([, entry = '', , gzip = '', imports = '']) => [entry.replaceAll('`', ''), [gzip, imports]]),
    );
    for (const { entry, gzipBytes, imports } of await bundleSizes()) {
      const [gzip = '', saidImports] = said.get(entry) ?? [];
      expect(Math.abs((Number.parseFloat(gzip) * 1000) / gzipBytes - 1), entry).toBeLessThan(0.2);
      expect(saidImports, entry).toBe(imports.join(', ') || 'nothing');
    }
  });
});

describe('the package', () => {
  it('needs no other: what entry points for others need is an optional peer', async () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    const optional = Object.keys(manifest.peerDependencies).filter(
      (name) => manifest.peerDependenciesMeta[name]?.optional === true,
    );
    expect(optional).toEqual(Object.keys(manifest.peerDependencies));
    const imports = new Map((await bundleSizes()).map(({ entry, imports: of }) => [entry, of]));
    for (const entry of ['.', './fetch', './hono', './testing']) expect(imports.get(entry), entry).toEqual([]);
    expect(imports.get('./node')?.every((name) => name.startsWith('node:'))).toBe(true);
    expect(imports.get('./otel')).toEqual(['@opentelemetry/api']);
  });
});
