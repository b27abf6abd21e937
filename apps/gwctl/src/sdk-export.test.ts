import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gwctlHome, problem, startFakeApi } from './fake-api.test-support.ts';

const bytes = Buffer.from('PK an archive, as far as anybody here looks');
const honest = {
  file_name: 'shop-python-1.4.0.zip',
  media_type: 'application/zip',
  size_bytes: bytes.length,
  checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
  content_base64: bytes.toString('base64'),
  target: 'python',
  package_name: 'shop',
  generator_version: '0.1.0',
  warnings: [{ pointer: '/spec/paths/~1a', message: 'is\u001B[31m left out' }],
};
const place = '/api/v1/admin/gateways/edge/services/the%20shop/versions/1.4%2Fbeta/sdk';
const args = ['sdk', 'export', '--gateway-id', 'edge', '--service-id', 'the shop', '--version-id', '1.4/beta'];

async function withApi(answers: object) {
  const server = await startFakeApi({ [`POST ${place}`]: answers });
  const home = await gwctlHome();
  home.write({ current: 'c', contexts: { c: { api_url: server.url, token: 'gwadm_1_secret', tenant_id: 'acme' } } });
  mkdirSync(`${home.path}/sdks`);
  const exportTo = (output: string, ...more: string[]) =>
    home.run(...args, '--target', 'python', '--output', output, ...more);
  const dispose = async () => {
    await home[Symbol.asyncDispose]();
    await server.close();
  };
  return { ...home, server, exportTo, [Symbol.asyncDispose]: dispose };
}

/** Each run is a process, and there are some dozens of them. */
const timeoutMs = 240_000;

describe('gwctl sdk export', { timeout: timeoutMs }, () => {
  it('writes what arrives under the name that it has, and says so', async () => {
    await using home = await withApi(honest);
    const run = await home.exportTo('sdks', '--package-name', 'shop', '--tenant-id', 'globex');
    expect([run.exitCode, run.stdout]).toEqual([0, '']);
    expect(run.stderr).toContain(`wrote sdks/${honest.file_name} (python, ${bytes.length} bytes`);
    expect(run.stderr).toContain('/spec/paths/~1a is');
    expect(run.stderr).not.toContain('\u001B[31m');
    expect(readFileSync(`${home.path}/sdks/${honest.file_name}`)).toEqual(bytes);
    expect(readdirSync(`${home.path}/sdks`)).toEqual([honest.file_name]);
    const asked = home.server.requests.find(({ method }) => method === 'POST');
    expect(asked?.url).toBe(`${place}?tenant_id=globex`);
    expect(JSON.parse(String(asked?.body))).toEqual({ target: 'python', package_name: 'shop' });
  });

  it('replaces nothing without --force, and prints one document for programs', async () => {
    await using home = await withApi(honest);
    const file = `${home.path}/mine.zip`;
    writeFileSync(file, 'mine');
    chmodSync(file, 0o640);
    symlinkSync('nowhere', `${home.path}/link.zip`);
    writeFileSync(`${home.path}/sdks/${honest.file_name}`, 'mine');
    for (const output of ['mine.zip', 'link.zip', 'sdks']) {
      const run = await home.exportTo(output);
      expect([run.exitCode, run.stdout, run.stderr]).toEqual([1, '', expect.stringContaining('give --force')]);
    }
    // Files that are there are found before anything is asked for; the name of the third comes with the archive.
    expect(home.server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect([readFileSync(file, 'utf8'), existsSync(`${home.path}/nowhere`)]).toEqual(['mine', false]);
    const forced = await home.exportTo('mine.zip', '--force', '-o', 'json');
    const { content_base64: _, file_name: _name, ...said } = honest;
    expect([forced.exitCode, JSON.parse(forced.stdout)]).toEqual([0, { file: 'mine.zip', ...said }]);
    expect([readFileSync(file), statSync(file).mode & 0o777]).toEqual([bytes, 0o640]);
  });

  it('wants the folder to be there, and every option', async () => {
    await using home = await withApi(honest);
    for (const output of ['none/sdk.zip', 'none/', '']) {
      const run = await home.exportTo(output, '--force');
      expect([run.exitCode, run.stderr]).toEqual([1, expect.stringMatching(/does not exist|names no file/)]);
    }
    expect(home.server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    const unknown = await home.run(...args, '--target', 'cobol', '--output', 'x.zip');
    expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('Allowed choices are')]);
    const missing = await home.run('sdk', 'export', '--target', 'go', '--output', 'x.zip');
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('--gateway-id')]);
    expect(readdirSync(home.path).filter((name) => name.endsWith('.zip'))).toEqual([]);
  });

  it('says what the control plane says against it, and writes nothing', async () => {
    const errors = [{ pointer: '/package_name', code: 'sdk_package_name', message: 'the package name must be …' }];
    await using home = await withApi(problem(422, 'validation_failed', '1 field is invalid', errors));
    const run = await home.exportTo('sdk.zip');
    expect([run.exitCode, run.stderr]).toEqual([1, expect.stringContaining('/package_name')]);
    expect(existsSync(`${home.path}/sdk.zip`)).toBe(false);
  });

  const { content_base64: content } = honest;
  const padded = Buffer.from('four').toString('base64');
  const lies: readonly (readonly [string, object])[] = [
    ['Base64 with a character beside it', { content_base64: `${content.slice(0, 8)}!${content.slice(8)}` }],
    ['Base64 with a line break', { content_base64: `${content.slice(0, 8)}\n${content.slice(8)}` }],
    ['Base64 for addresses', { content_base64: content.replace(/^./, '-') }],
    ['Base64 without its padding', { content_base64: padded.replaceAll('=', ''), size_bytes: 4 }],
    ['Base64 with stray bits', { content_base64: padded.replace('g==', 'h=='), size_bytes: 4 }],
    ['another media type', { media_type: 'application/x-tar' }],
    ['a larger size', { size_bytes: bytes.length + 1 }],
    ['a smaller size', { size_bytes: bytes.length - 1 }],
    ['another checksum', { checksum_sha256: 'a'.repeat(64) }],
    ['a checksum in capitals', { checksum_sha256: honest.checksum_sha256.toUpperCase() }],
    ['another target', { target: 'php' }],
    ...[
      '../x.zip',
      '/etc/x.zip',
      'a/b.zip',
      'a\\b.zip',
      'C:x.zip',
      '.x.zip',
      '..',
      '',
      'x\u0000.zip',
      'x\n.zip',
      'x\u202Epiz.',
      'x.zip ',
      'x'.repeat(256),
    ].map((name) => [`the name ${JSON.stringify(name).slice(0, 20)}`, { file_name: name }] as const),
    ['no checksum', { checksum_sha256: undefined }],
    ['no content', { content_base64: null }],
    ['a size in words', { size_bytes: String(bytes.length) }],
  ];

  it('takes no archive that is not what is said of it, and leaves what is there', async () => {
    const answers = lies.map(([, lie]) => ({ ...honest, ...lie }));
    await using home = await withApi(honest);
    writeFileSync(`${home.path}/sdks/${honest.file_name}`, 'mine');
    const outcomes: unknown[] = [];
    for (const lie of answers) {
      await using server = await startFakeApi({ [`POST ${place}`]: lie });
      const url = ['--api-url', server.url, '--token', 'gwadm_1_secret'];
      const run = await home.exportTo('sdks', '--force', ...url);
      outcomes.push([run.exitCode, run.stdout, readdirSync(`${home.path}/sdks`)]);
      expect(run.stderr).toMatch(/nothing was written|an answer that this release/);
    }
    expect(outcomes).toEqual(lies.map(() => [1, '', [honest.file_name]]));
    expect(readFileSync(`${home.path}/sdks/${honest.file_name}`, 'utf8')).toBe('mine');
  });
});
