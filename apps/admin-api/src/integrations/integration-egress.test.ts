import { fakeAlerting, startFakeSystem } from '@portcullis/integrations/testing';
import { expect, it } from 'vitest';
import { createIntegrationEgress } from './integration-egress.ts';

const allowedAddresses = [{ address: '127.0.0.0', bits: 8 }];
const init = { method: 'GET', headers: {}, redirect: 'manual', timeoutMs: 5000, responseBytesMax: 1000 } as const;

it("leads neither to what the operator refuses nor to the database's server, which may move", async () => {
  await using system = await startFakeSystem(fakeAlerting({ apiKey: 'k' }));
  let database = '127.0.0.2';
  const egress = await createIntegrationEgress({
    databaseUrl: `postgres://db.test:${system.port}/portcullis`,
    allowedAddresses,
    refusedAddresses: [{ address: '127.0.0.3', bits: 32 }],
    addressesOf: async () => [database],
  });
  const statusAt = async (host: string): Promise<number | string> => {
    const { signal } = new AbortController();
    const call = egress.fetch(`http://${host}:${system.port}/v2/account`, { ...init, signal });
    const answer = await call.catch(({ code }: { code: string }) => code);
    if (typeof answer === 'string') return answer;
    await answer.body?.cancel();
    return answer.status;
  };
  expect([await statusAt('127.0.0.1'), await statusAt('127.0.0.2'), await statusAt('127.0.0.3')]).toEqual([
    401,
    'refused',
    'refused',
  ]);
  database = '127.0.0.1';
  await egress.learn();
  expect([await statusAt('127.0.0.1'), await statusAt('127.0.0.2')]).toEqual(['refused', 'refused']);
  await egress.close();
});
