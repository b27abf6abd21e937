import { describe, expect, it } from 'vitest';
import { fakeAlerting } from '../../testing/fake-alerting.ts';
import { startFakeSystem } from '../../testing/fake-system.ts';
import { divertedTo, realWorld, stillClock } from '../../testing/sync.test-support.ts';
import { incidentAlerting } from './index.ts';

const secrets = { api_key: 'eb243592-faa2-4ba2-a551q-1afdf565c889' };

describe('incident alerting', () => {
  it('records the account', async () => {
    await using system = await startFakeSystem(fakeAlerting({ apiKey: secrets.api_key, name: 'acme', id: 'a-1' }));
    expect(await incidentAlerting.sync({ config: { api_url: system.url }, secrets, ...realWorld() })).toEqual({
      slug: 'incident_alerting',
      provider: 'opsgenie',
      http_status: 200,
      account_name: 'acme',
      account_id: 'a-1',
      plan_name: 'Enterprise',
    });
    expect(system.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/v2/account', `GenieKey ${secrets.api_key}`],
    ]);
  });

  it.each([
    [{}, 'https://api.opsgenie.com/v2/account'],
    [{ region: 'us' }, 'https://api.opsgenie.com/v2/account'],
    [{ region: 'eu' }, 'https://api.eu.opsgenie.com/v2/account'],
    [{ region: 'eu', api_url: 'https://own.test/alerts/' }, 'https://own.test/alerts/v2/account'],
  ] as const)('%o leads to %s', async (config, wanted) => {
    await using system = await startFakeSystem(() => ({ status: 200, body: { data: { name: 'acme' } } }));
    const meant: string[] = [];
    const fetch = divertedTo(system, meant);
    const metadata = await incidentAlerting.sync({ config, secrets, fetch, clock: stillClock() });
    expect([meant, metadata.account_id]).toEqual([[wanted], null]);
  });
});
