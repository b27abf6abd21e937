import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gwctlHome } from './fake-api.test-support.ts';

it('the example of the README gives what the README says, and its correction is valid', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, bundle = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, printed] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];
  await using home = await gwctlHome();
  writeFileSync(`${home.path}/bundle.yaml`, bundle);
  expect(await home.run('validate', 'bundle.yaml', '--strict')).toEqual({ exitCode: 1, stdout: printed, stderr: '' });
  writeFileSync(`${home.path}/bundle.yaml`, bundle.replace('get,', 'GET,'));
  expect(await home.run('validate', 'bundle.yaml', '--strict')).toMatchObject({
    exitCode: 0,
    stdout: 'valid (3 records)\n',
  });
});

it('the comparison of the README prints what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [bundle = '', live = ''] = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text);
  const [, printed] = [...readme.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text]) => text);
  await using home = await gwctlHome();
  writeFileSync(`${home.path}/bundle.yaml`, bundle.replace('get,', 'GET,'));
  writeFileSync(`${home.path}/live.yaml`, live);
  const run = await home.run('diff', 'bundle.yaml', '--current', 'live.yaml');
  expect(run).toEqual({ exitCode: 2, stdout: printed, stderr: '' });
});
