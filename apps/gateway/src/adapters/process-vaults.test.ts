import { noOutbound } from '@portcullis/plugin-runtime';
import { eventually, temporaryFolder } from '@portcullis/testkit';
import { expect, it } from 'vitest';
import { createPluginEgress } from '../transport/create-egress.ts';
import { AddressGuard } from '../transport/address-guard.ts';
import { createProcessVaults } from './process-vaults.ts';

/** A public address that is given to nobody: a call to it that is not refused leads nowhere. Source: IANA, IPv6 global unicast space. */
const publicAddress = '[2d00::1]';

const parts = (fileVaultDir?: string) => ({
  envAllow: new Map(),
  fileVaultDir,
  monotonicMs: () => performance.now(),
  outbound: noOutbound,
});

it("sends a vault's token over http to no address that the operator does not list", async () => {
  const guard = new AddressGuard({ host: '127.0.0.1', port: 1 });
  const egress = createPluginEgress({ guard, dnsServers: [], allowedNetworks: [] });
  const vaults = createProcessVaults({
    ...parts(),
    outbound: egress,
    log: { warn: () => undefined },
  });
  const config = {
    address: `http://${publicAddress}`,
    token: 't',
    mount: 'secret',
    kv_version: 2,
    ttl_seconds: 60,
  } as const;
  vaults.put('acme', [{ prefix: 'prod', driver: 'hashicorp', config }]);
  const read = async () => vaults.read('vault://prod/billing');
  await expect(read()).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('operator') as unknown,
  });
  await egress.close();
});

it('warns of a folder that is not there, and of no other', async () => {
  await using folder = await temporaryFolder();
  const warnings: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };
  createProcessVaults({ ...parts(), log });
  createProcessVaults({ ...parts(folder.path), log });
  createProcessVaults({ ...parts(folder.join('absent')), log });
  await eventually(() => warnings.length > 0);
  expect(warnings).toEqual([
    [{ folder: folder.join('absent'), code: 'ENOENT' }, expect.stringContaining('cannot be opened')],
  ]);
});
