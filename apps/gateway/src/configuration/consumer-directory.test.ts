import { createHash } from 'node:crypto';
import { startUpstream } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

describe('the expiry of an API key', () => {
  it.each([
    ['has not come', '2999-01-01T00:00:00+00:00', 200],
    ['is past', '2020-01-01T00:00:00Z', 401],
    ['cannot be read', '2999-01-01T00:00:00+00', 401],
  ])('that %s decides whether the key is good', async (_name, expiresAt, status) => {
    const key = 'key-of-jo-0123456789';
    await using upstream = await startUpstream();
    await using gateway = await startTestGateway({
      ...everythingTo(upstream.url, {
        plugins: [{ name: 'api_key_auth', config: { header_name: 'X-API-Key', valid_keys: [] } }],
      }),
      consumers: [{ id: 'jo', username: 'jo', groups: [] }],
      consumer_credentials: [
        {
          id: 'credential-jo',
          consumer_id: 'jo',
          type: 'api_key',
          name: 'jo',
          key_hash: createHash('sha256').update(key).digest('hex'),
          enabled: true,
          expires_at: expiresAt,
        },
      ],
    });
    expect((await fetch(gateway.url, { headers: { 'x-api-key': key } })).status).toBe(status);
  });
});
