import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it, vi } from 'vitest';
import { createVaults, SECRETS_MAX, type VaultsOptions } from './create-vaults.ts';
import { FILE_TIMEOUT_MS } from './drivers/file-reads.ts';
import type { Vault } from './vault.ts';

const canary = 'canary-token-0123456789';

/** Vaults over a table of answers, which counts the secrets that were asked for. */
function bench(options: Partial<VaultsOptions> = {}) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const files: string[] = [];
  let answer = 'first';
  const vaults = createVaults({
    monotonicMs: clock.monotonicMs,
    env: (name) => `value-of-${name}`,
    envAllow: new Map([
      ['acme', new Set(['A', 'B'])],
      ['globex', new Set(['B'])],
    ]),
    fileVaultDir: '/vaults',
    readFile: ({ folder, path }) => {
      files.push(`${folder}/${path}`);
      return Promise.resolve(new TextEncoder().encode('of-a-file'));
    },
    outbound: {
      request: ({ url, method }) => {
        if (method === undefined) asked.push(url);
        return Promise.resolve({
          status: 200,
          body: new TextEncoder().encode(`{"data":{"data":{"k":"${answer}","l":"other"}}}`),
        });
      },
    },
    ...options,
  });
  return { clock, vaults, asked, files, answer: (next: string) => (answer = next) };
}

const server = (prefix: string, token = canary): Vault => ({
  prefix,
  driver: 'hashicorp',
  config: { address: `https://${prefix}.test`, token, mount: 'secret', kv_version: 2, ttl_seconds: 60 },
});
const env: Vault = { prefix: 'env', driver: 'env', config: {} };
const file: Vault = { prefix: 'files', driver: 'file', config: { directory: 'sub' } };

const failureOf = (read: () => string | Promise<string>): Promise<unknown> =>
  (async () => read())().catch((error: unknown) => error);

describe('vaults', () => {
  it('know nothing before they are given any, and nothing that is no reference', async () => {
    const { vaults } = bench();
    for (const reference of ['vault://prod/a', 'prod/a', 'vault://prod', canary]) {
      const error = await failureOf(() => vaults.read(reference));
      expect(error).toMatchObject({ code: 'unknown_vault', message: expect.not.stringContaining('canary') as unknown });
    }
  });

  it('read from the driver of each, and one secret once for all its keys', async () => {
    const { vaults, asked, files } = bench();
    vaults.put('acme', [server('prod'), env, file]);
    expect(await vaults.read('vault://env/A')).toBe('value-of-A');
    expect(await vaults.read('vault://files/a')).toBe('of-a-file');
    expect(files).toEqual(['/vaults/acme/sub/a']);
    expect(await vaults.read('vault://prod/a/k')).toBe('first');
    expect([vaults.read('vault://prod/a/l'), asked]).toEqual(['other', ['https://prod.test/v1/secret/data/a']]);
  });

  it('let each tenant read what the operator lists for it, and no more', async () => {
    const { vaults } = bench();
    vaults.put('acme', [env]);
    expect(await vaults.read('vault://env/A')).toBe('value-of-A');
    vaults.put('globex', [env]);
    expect(await failureOf(() => vaults.read('vault://env/A'))).toMatchObject({ code: 'denied' });
    expect(await vaults.read('vault://env/B')).toBe('value-of-B');
    vaults.put('initech', [env]);
    expect(await failureOf(() => vaults.read('vault://env/B'))).toMatchObject({ code: 'denied' });
  });

  it('read variables without a vault, at each use, where the operator lists them for the tenant', () => {
    const variables = new Map([['A', 'first']]);
    const { vaults } = bench({ env: (name) => variables.get(name) });
    const codeOf = (reference: string): unknown => {
      try {
        return vaults.read(reference);
      } catch (error) {
        expect((error as Error).message).not.toContain('first');
        return (error as { code: unknown }).code;
      }
    };
    expect(codeOf('env://A')).toBe('denied');
    vaults.put('acme', []);
    expect([codeOf('env://A'), codeOf('env://B'), codeOf('env://HOME')]).toEqual(['first', 'not_found', 'denied']);
    variables.set('A', 'second\n');
    expect(codeOf('env://A')).toBe('second');
    variables.set('A', '');
    expect(codeOf('env://A')).toBe('not_found');
    vaults.put('globex', []);
    expect([codeOf('env://A'), codeOf('env://B')]).toEqual(['denied', 'not_found']);
    for (const reference of ['env://', 'env://A/B', 'env://A B', 'env://1A', 'ENV://A', 'env://A\n', 'env:A']) {
      expect([reference, codeOf(reference)]).toEqual([reference, 'unknown_vault']);
    }
  });

  it('keep through a change what it does not touch', async () => {
    const { vaults, asked, answer } = bench();
    vaults.put('acme', [server('prod'), server('test')]);
    await vaults.read('vault://prod/a/k');
    await vaults.read('vault://test/a/k');
    answer('second');
    vaults.put('acme', [{ ...server('prod') }, server('test', 'another')]);
    expect(vaults.read('vault://prod/a/k')).toBe('first');
    expect(await vaults.read('vault://test/a/k')).toBe('second');
    expect(asked).toHaveLength(3);
    vaults.put('acme', [server('test', 'another')]);
    expect(await failureOf(() => vaults.read('vault://prod/a/k'))).toMatchObject({ code: 'unknown_vault' });
    expect(vaults.read('vault://test/a/k')).toBe('second');
  });

  it('never keep what a vault of before answers after it was exchanged', async () => {
    const late = Promise.withResolvers<{ status: number; body: Uint8Array }>();
    const body = (value: string) => new TextEncoder().encode(`{"data":{"data":{"k":"${value}"}}}`);
    let first = true;
    const request = () => {
      if (!first) return Promise.resolve({ status: 200, body: body('of-the-new') });
      first = false;
      return late.promise;
    };
    const { vaults } = bench({ outbound: { request } });
    vaults.put('acme', [server('prod')]);
    const before = vaults.read('vault://prod/a');
    vaults.put('acme', [server('prod', 'another')]);
    expect(await vaults.read('vault://prod/a')).toBe('of-the-new');
    late.resolve({ status: 200, body: body('of-the-old') });
    expect([await before, vaults.read('vault://prod/a')]).toEqual(['of-the-old', 'of-the-new']);
  });

  it('keep a bounded number of secrets', async () => {
    const { vaults, asked } = bench();
    vaults.put('acme', [server('prod')]);
    for (let index = 0; index <= SECRETS_MAX; index += 1) await vaults.read(`vault://prod/s${index}/k`);
    expect(asked).toHaveLength(SECRETS_MAX + 1);
    expect(vaults.read(`vault://prod/s${SECRETS_MAX}/k`)).toBe('first');
    expect(vaults.read('vault://prod/s0/k')).toBeInstanceOf(Promise);
    await vaults.read('vault://prod/s0/k');
  });

  it('tell a failure with the name of the vault, once until it works again', async () => {
    const failures: unknown[] = [];
    const request = (): Promise<never> => Promise.reject(new Error(canary));
    const { vaults, clock } = bench({ outbound: { request }, onFailure: (failure) => failures.push(failure) });
    vaults.put('acme', [server('prod')]);
    for (let round = 0; round < 3; round += 1) {
      await failureOf(() => vaults.read('vault://prod/a/k'));
      clock.advance(5000);
    }
    expect(failures).toEqual([
      { vault: 'prod', secret: 'a', code: 'unavailable', message: 'the vault cannot be reached' },
    ]);
  });

  it('wait for files for a time only, and begin few reads of a file system that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun: string[] = [];
    const hangs = ({ path }: { path: string }) => new Promise<never>(() => begun.push(path));
    const { vaults } = bench({ readFile: hangs });
    vaults.put('acme', [file]);
    const all = ['a', 'b', 'c'].map((name) => failureOf(() => vaults.read(`vault://files/${name}`)));
    vi.advanceTimersByTime(FILE_TIMEOUT_MS);
    vi.useRealTimers();
    expect(await Promise.all(all)).toMatchObject(all.map(() => ({ code: 'unavailable' })));
    expect(begun).toEqual(['sub/a', 'sub/b']);
  });
});
