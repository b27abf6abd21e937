import { SecretError, type SecretSource } from '@portcullis/plugin-runtime';
import { createVaults } from '@portcullis/vaults';
import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { CREDENTIAL_LENGTH_MAX } from './credential.ts';
import { vaultAuthentication } from './index.ts';

const ref = 'vault://prod/token';

/** A source that gives these, at once or later. */
function sourceOf(secrets: Readonly<Record<string, string>>, isLate = false): SecretSource {
  return {
    read(reference) {
      const secret = secrets[reference];
      if (secret === undefined) throw new SecretError('not_found', 'there is no such secret');
      return isLate ? Promise.resolve(secret) : secret;
    },
  };
}

const failing: SecretSource = { read: () => Promise.reject(new SecretError('unavailable', 'down')) };
const throwing: SecretSource = {
  read: () => {
    throw new SecretError('denied', 'no');
  },
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe.each([
  ['at once', false],
  ['later', true],
])('vault_authentication with secrets that come %s', (_name, isLate) => {
  it.each<[string, object, string, string, string]>([
    ['bearer', { secret_ref: ref }, 's3cret', 'authorization', 'Bearer s3cret'],
    ['bearer with another word', { secret_ref: ref, prefix: 'Token ' }, 's3cret', 'authorization', 'Token s3cret'],
    ['bearer without a word', { secret_ref: ref, prefix: '' }, 's3cret', 'authorization', 's3cret'],
    ['a file with a line break', { secret_ref: ref }, 's3cret\r\n', 'authorization', 'Bearer s3cret'],
    ['basic', { mode: 'basic', username: 'gw', secret_ref: ref }, 'ö:x', 'authorization', `Basic ${base64('gw:ö:x')}`],
    [
      'basic, with a user name of the vault',
      { mode: 'basic', username_ref: 'vault://prod/user', secret_ref: ref },
      'p\n',
      'authorization',
      `Basic ${base64('gateway:p')}`,
    ],
    ['a header', { mode: 'header', header_name: 'X-API-Key', secret_ref: ref }, 'a b', 'x-api-key', 'a b'],
    ['a header with a word', { mode: 'header', prefix: 'Key', secret_ref: ref }, 'k', 'authorization', 'Key k'],
  ])('sends %s', async (_case, config, secret, header, value) => {
    const secrets = sourceOf({ [ref]: secret, 'vault://prod/user': 'gateway\n' }, isLate);
    const headers = ['Authorization', 'Basic of-the-client', 'X-Api-Key', 'guess', 'x-api-key', 'another'];
    const { result, exchange } = await new PluginBench(vaultAuthentication, config, { secrets }).request({ headers });
    expect([result, exchange.request.headers.getAll(header)]).toEqual(['continue', [value]]);
  });

  it('tells the upstream the reference, never a word of the client', async () => {
    const config = { secret_ref: ref, resolved_reference_header: 'X-Reference' };
    const secrets = sourceOf({ [ref]: 's3cret' }, isLate);
    const headers = ['X-Reference', 'vault://forged/reference'];
    const { exchange } = await new PluginBench(vaultAuthentication, config, { secrets }).request({ headers });
    expect(exchange.request.headers.getAll('x-reference')).toEqual([ref]);
  });

  it.each([
    ['a line break', 'a\nb'],
    ['a line break that begins a header', 'a\r\nx-admin: 1'],
    ['two line breaks at the end', 'a\n\n'],
    ['a character beyond ASCII', 'sécret'],
    ['a space before it', ' a'],
    ['a tab', 'a\tb'],
    ['a length that no server takes', 'a'.repeat(CREDENTIAL_LENGTH_MAX)],
  ])('refuses the request for a secret with %s', async (_case, secret) => {
    const secrets = sourceOf({ [ref]: secret }, isLate);
    const { result, exchange } = await new PluginBench(vaultAuthentication, { secret_ref: ref }, { secrets }).request();
    expect([result, exchange.failure.code]).toEqual(['failed', 'plugin_failed']);
    expect(JSON.stringify(exchange.failure)).not.toContain(secret);
  });

  it.each([
    ['a user name with a colon', 'a:b', 'p'],
    ['a user name with a control character', 'a\u0000', 'p'],
    ['an empty user name', '\n', 'p'],
    ['a secret with a control character', 'a', 'p\u0007'],
  ])('refuses the request for %s in mode basic', async (_case, user, secret) => {
    const secrets = sourceOf({ [ref]: secret, 'vault://prod/user': user }, isLate);
    const config = { mode: 'basic', username_ref: 'vault://prod/user', secret_ref: ref };
    expect((await new PluginBench(vaultAuthentication, config, { secrets }).request()).result).toBe('failed');
  });
});

describe('vault_authentication without a secret', () => {
  it.each([
    ['rejects', failing],
    ['throws', throwing],
    ['has no user name', sourceOf({ [ref]: 's' }, true)],
  ])('fails the request, closed, when the source %s, and says nothing of why', async (_case, secrets) => {
    const config = { mode: 'basic', username_ref: 'vault://prod/user', secret_ref: ref };
    const { result, exchange } = await new PluginBench(vaultAuthentication, config, { secrets }).request();
    expect([result, exchange.failure.code]).toEqual(['failed', 'plugin_failed']);
    expect(JSON.stringify(exchange.failure)).not.toMatch(/vault:|prod/);
  });

  it.each([
    ['rejects', failing, 'unavailable'],
    ['throws', throwing, 'denied'],
    ['gives what cannot be sent', sourceOf({ [ref]: 'a\nb' }), 'unfit'],
  ])('lets requests go on without a credential when told to, and says so once: it %s', async (_case, secrets, code) => {
    const warnings: unknown[] = [];
    const log = { warn: (...said: unknown[]) => void warnings.push(said), error: () => undefined };
    const config = { secret_ref: ref, fail_open: true, resolved_reference_header: 'X-Reference' };
    const bench = new PluginBench(vaultAuthentication, config, { secrets, log });
    const headers = ['Authorization', 'Bearer of-the-client', 'X-Reference', ref, 'X-Other', 'stays'];
    for (let round = 0; round < 3; round += 1) {
      const { result, exchange } = await bench.request({ headers });
      const left = ['authorization', 'x-reference', 'x-other'].map((name) => exchange.request.headers.get(name));
      expect([result, left]).toEqual(['continue', [undefined, undefined, 'stays']]);
    }
    expect(warnings).toEqual([[expect.any(String), expect.objectContaining({ code })]]);
  });

  it('sends a rotated secret as soon as the vault gives it, and says a later failure again', async () => {
    let secret: string | undefined = 'first';
    const warnings: unknown[] = [];
    const log = { warn: () => void warnings.push(1), error: () => undefined };
    const secrets: SecretSource = { read: () => secret ?? throwing.read(ref) };
    const bench = new PluginBench(vaultAuthentication, { secret_ref: ref, fail_open: true }, { secrets, log });
    const sent = async () => (await bench.request()).exchange.request.headers.get('authorization');
    expect(await sent()).toBe('Bearer first');
    secret = 'second';
    expect([await sent(), await sent()]).toEqual(['Bearer second', 'Bearer second']);
    secret = undefined;
    expect([await sent(), await sent()]).toEqual([undefined, undefined]);
    secret = 'third';
    expect(await sent()).toBe('Bearer third');
    secret = undefined;
    await sent();
    expect(warnings).toHaveLength(2);
  });

  it('reads from the vaults of a gateway', async () => {
    const vaults = createVaults({
      monotonicMs: () => 0,
      env: () => 'of-a-variable',
      envAllow: new Map([['acme', new Set(['KEY'])]]),
      readFile: () => Promise.resolve('missing'),
      outbound: { request: () => Promise.reject(new Error('nobody is called')) },
    });
    vaults.put('acme', [{ prefix: 'env', driver: 'env', config: {} }]);
    const bench = new PluginBench(vaultAuthentication, { secret_ref: 'vault://env/KEY' }, { secrets: vaults });
    expect((await bench.request()).exchange.request.headers.get('authorization')).toBe('Bearer of-a-variable');
  });
});

describe('configs of vault_authentication', () => {
  const { compile } = vaultAuthentication.plugin;
  it.each<[string, unknown, string]>([
    ['no reference', {}, '/secret_ref'],
    ['a secret in place of a reference', { secret_ref: 's3cret' }, '/secret_ref'],
    ['a reference without a secret', { secret_ref: 'vault://prod' }, '/secret_ref'],
    ['a reference with dots', { secret_ref: 'vault://prod/../x' }, '/secret_ref'],
    ['dots at the end', { secret_ref: 'vault://prod/x/..' }, '/secret_ref'],
    ['a long reference', { secret_ref: `vault://prod${`/${'a'.repeat(90)}`.repeat(6)}` }, '/secret_ref'],
    ['an unknown mode', { secret_ref: ref, mode: 'digest' }, '/mode'],
    ['a header that frames', { secret_ref: ref, header_name: 'Content-Length' }, '/header_name'],
    ['a host', { secret_ref: ref, header_name: 'Host' }, '/header_name'],
    ['no header name', { secret_ref: ref, header_name: 'X Y' }, '/header_name'],
    ['a prefix that is no word', { secret_ref: ref, prefix: 'a\r\nb' }, '/prefix'],
    ['basic without a user name', { secret_ref: ref, mode: 'basic' }, '/username'],
    ['basic with two', { secret_ref: ref, mode: 'basic', username: 'a', username_ref: ref }, '/username_ref'],
    ['a user name with a colon', { secret_ref: ref, mode: 'basic', username: 'a:b' }, '/username'],
    ['a user name in another mode', { secret_ref: ref, username: 'a' }, '/username'],
    ['a reference of one in another mode', { secret_ref: ref, mode: 'header', username_ref: ref }, '/username_ref'],
    ['one header twice', { secret_ref: ref, resolved_reference_header: 'authorization' }, '/resolved_reference_header'],
    ['fail_open as text', { secret_ref: ref, fail_open: 'yes' }, '/fail_open'],
    ['an unknown field', { secret_ref: ref, vault: 'x' }, '/vault'],
  ])('are refused at the place: %s', (_case, config, pointer) => {
    const outcome = compile(config);
    expect(outcome).toMatchObject({ ok: false, issues: [{ pointer }] });
    expect(JSON.stringify(outcome)).not.toContain('s3cret');
  });
});
