import { describe, expect, it } from 'vitest';
import { fakeServiceManagement } from '../../testing/fake-service-management.ts';
import { startFakeSystem } from '../../testing/fake-system.ts';
import { realWorld } from '../../testing/sync.test-support.ts';
import { itServiceManagement } from './index.ts';

const incidents = [
  { number: 'INC0000060', sys_id: '1c741bd70b2322007518478d83673af3', state: '7', short_description: 'private words' },
  { number: 'INC0000061', sys_id: '2', state: '1', short_description: 'more' },
];

describe('IT service management', () => {
  it('records one incident, and not what it is about', async () => {
    await using system = await startFakeSystem(fakeServiceManagement({ token: 'an-access-token', incidents }));
    const input = { config: { instance_url: `${system.url}/` }, secrets: { access_token: 'an-access-token' } };
    expect(await itServiceManagement.sync({ ...input, ...realWorld() })).toEqual({
      slug: 'it_service_management',
      provider: 'servicenow',
      http_status: 200,
      instance_url: system.url,
      sample_size: 1,
      sample_incident_number: 'INC0000060',
      sample_incident_sys_id: '1c741bd70b2322007518478d83673af3',
      sample_incident_state: '7',
    });
    expect(system.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/now/table/incident?sysparm_limit=1&sysparm_fields=number,sys_id,state,short_description,sys_updated_on',
    ]);
  });

  it('records that there is none', async () => {
    await using system = await startFakeSystem(fakeServiceManagement({ username: 'reader', password: 'pass: wörd' }));
    const secrets = { username: 'reader', password: 'pass: wörd' };
    const metadata = await itServiceManagement.sync({ config: { instance_url: system.url }, secrets, ...realWorld() });
    expect(metadata).toMatchObject({
      sample_size: 0,
      sample_incident_number: null,
      sample_incident_sys_id: null,
      sample_incident_state: null,
    });
  });

  it('sends the token where a password is given, too', async () => {
    await using system = await startFakeSystem(() => ({ status: 200, body: { result: [] } }));
    const secrets = { access_token: 'an-access-token', username: 'reader', password: 'a password' };
    await itServiceManagement.sync({ config: { instance_url: system.url }, secrets, ...realWorld() });
    expect(system.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer an-access-token']);
  });

  it.each([{}, { username: 'reader' }, { password: 'a password' }, { username: '', password: '' }])(
    'the secrets %o are not enough',
    (secrets) => {
      const config = { instance_url: 'https://a.test' };
      expect(itServiceManagement.check({ config, secrets }).length).toBeGreaterThan(0);
    },
  );
});
