import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startProcess, startUpstream } from '@portcullis/testkit';
import { expect, it } from 'vitest';

it('the example of the README runs and prints what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  await using api = await startUpstream((_req, res) => {
    res.writeHead(401, { 'content-type': 'application/problem+json' });
    res.end('{"code":"unauthenticated","title":"Unauthenticated","detail":"The token is missing, expired or revoked"}');
  });
  const child = await startProcess({
    args: ['--conditions=@portcullis/source', '--input-type=module-typescript', '--eval', String(code)],
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { API_URL: api.url, API_TOKEN: 'gwadm_1_expired' },
  });
  const exit = await child.exited;
  expect([exit.code, child.stderr(), child.stdout()]).toEqual([0, '', printed]);
  expect(api.requests.map(({ url }) => url)).toEqual(['/api/v1/admin/gateways?tenant_id=default&limit=10']);
});
