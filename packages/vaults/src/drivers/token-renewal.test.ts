import { eventually } from '@portcullis/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realOutbound, startVaultServer, token, type VaultServer } from '../testing/vault-server.test-support.ts';
import { hashicorpDriver } from './hashicorp.ts';
import { REFUSED_MS, RENEWAL_MS_MIN } from './token-renewal.ts';

describe('the token of a vault', () => {
  let server: VaultServer;
  let nowMs = 0;
  const refusals: number[] = [];
  let read: () => Promise<unknown> = () => Promise.reject(new Error('not started'));
  beforeEach(async () => {
    server = await startVaultServer();
    server.state.secrets.set('secret/db', { password: 'p' });
    nowMs = 0;
    refusals.length = 0;
    const config = { address: server.upstream.url, token, mount: 'secret', kv_version: 2, ttl_seconds: 60 } as const;
    const driver = hashicorpDriver(
      { prefix: 'v', driver: 'hashicorp', config },
      {
        outbound: realOutbound(),
        monotonicMs: () => nowMs,
        onRenewalRefused: (status) => void refusals.push(status),
      },
    );
    read = async () => (await driver.read('db')).value('password');
  });
  afterEach(() => server[Symbol.asyncDispose]());

  /** Reads at a time, and waits until the vault has heard of so many renewals. @returns how many it then has heard of */
  const renewalsAt = async (atMs: number, wanted: number): Promise<number> => {
    nowMs = atMs;
    expect(await read()).toBe('p');
    await eventually(() => server.state.renewals >= wanted);
    // The client hears of a renewal after the vault has counted it: the answer to another read comes later.
    await read();
    return server.state.renewals;
  };

  it('is renewed at half of its time, while secrets are read', async () => {
    server.state.lease = { seconds: 3600, isRenewable: true };
    expect(await renewalsAt(0, 1)).toBe(1);
    expect(await renewalsAt(1_799_000, 1)).toBe(1);
    expect(await renewalsAt(1_800_000, 2)).toBe(2);
    expect(await renewalsAt(1_801_000, 2)).toBe(2);
    expect(await renewalsAt(9_000_000, 3)).toBe(3);
  });

  it('is not asked for more often than the bound, however short its time is', async () => {
    server.state.lease = { seconds: 1, isRenewable: true };
    expect(await renewalsAt(0, 1)).toBe(1);
    expect(await renewalsAt(RENEWAL_MS_MIN - 1, 1)).toBe(1);
    expect(await renewalsAt(RENEWAL_MS_MIN, 2)).toBe(2);
  });

  it.each([
    ['cannot be renewed', undefined],
    ['is at its end', { seconds: 60, isRenewable: false }],
    ['has no end', { seconds: 0, isRenewable: true }],
  ])('is left alone for an hour where it %s, and read with all the same', async (_what, lease) => {
    server.state.lease = lease;
    expect(await renewalsAt(0, 1)).toBe(1);
    expect(await renewalsAt(REFUSED_MS - 1, 1)).toBe(1);
    expect(await renewalsAt(REFUSED_MS, 2)).toBe(2);
  });

  it('is told of once while the vault does not renew it', async () => {
    await renewalsAt(0, 1);
    await renewalsAt(REFUSED_MS, 2);
    expect(refusals).toEqual([400]);
    server.state.lease = { seconds: 3600, isRenewable: true };
    await renewalsAt(2 * REFUSED_MS, 3);
    expect(refusals).toEqual([400]);
    server.state.lease = undefined;
    await renewalsAt(3 * REFUSED_MS, 4);
    await eventually(() => expect(refusals).toEqual([400, 400]));
  });

  it('is tried again soon where the vault does not answer', async () => {
    let asked = 0;
    server.state.lease = { seconds: 3600, isRenewable: true };
    server.state.fault = ({ url }, response) => {
      if (url?.endsWith('renew-self') === true) {
        asked += 1;
        response.writeHead(503).end();
      } else response.end('{"data":{"data":{"password":"p"}}}');
    };
    expect(await read()).toBe('p');
    await eventually(() => asked === 1);
    server.state.fault = undefined;
    expect(await renewalsAt(RENEWAL_MS_MIN, 1)).toBe(1);
  });
});
