import { generateKeyPairSync } from 'node:crypto';
import { deliveredApiKey, deliveredBasic, deliveredHmac, deliveredJwt } from '@portcullis/resources';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { readConfiguration, recordsOf } from './read-configuration.test-support.ts';
import { type Answer, startTestService, type TestService } from '../testing/test-service.test-support.ts';

const pem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });

describeOnEachDatabase('the credentials in a gateway’s configuration', (context) => {
  let service: TestService;
  let text = '';
  let owner = '';

  beforeAll(async () => {
    service = await startTestService(context.url());
    await service.addTenant('acme');
    const make = async (path: string, body: object): Promise<Answer['body']> => {
      const answer = await service.call('POST', `/api/v1/admin${path}?tenant_id=acme`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    };
    await make('/gateways', { id: 'edge', name: 'edge' });
    owner = (await make('/consumers', { username: 'owner', description: 'not for gateways' })).id;
    for (const body of [
      { type: 'api_key', name: 'a', key: 'an-api-key-of-the-owner', expires_at: '2999-01-01T00:00:00Z' },
      { type: 'basic', username: 'owner', password: 'the password of the owner' },
      { type: 'hmac', key_id: 'signer', secret: 'the-secret-that-signs', algorithms: ['hmac-sha512'] },
      { type: 'jwt', key: 'shared', secret: 'the-secret-of-tokens', algorithm: 'HS384' },
      { type: 'jwt', key: 'keyed', public_key: pem, algorithm: 'EdDSA' },
    ]) {
      await make(`/consumers/${owner}/credentials`, body);
    }
    const limited = { type: 'api_key', name: 'limited', expires_at: '2999-01-01T00:00:00Z' };
    const { id } = await make(`/consumers/${owner}/credentials`, limited);
    const unlimited = { expires_at: null };
    await service.call('PATCH', `/api/v1/admin/consumer-credentials/${id}?tenant_id=acme`, unlimited);
    const { token } = await make('/data-planes', { gateway_id: 'edge', name: 'node' });
    text = (await service.call('GET', '/api/v1/data-plane/config', undefined, { token })).body;
  });
  afterAll(() => service.stop());

  it('have what each kind is checked with, in the form that both sides agree on', () => {
    const [apiKey, basic, hmac, shared, keyed] = recordsOf(readConfiguration(text), 'consumer_credentials');
    expect(v.parse(deliveredApiKey, apiKey)).toMatchObject({ consumer_id: owner, expires_at: '2999-01-01T00:00:00Z' });
    expect(v.parse(deliveredBasic, basic)).toMatchObject({ username: 'owner' });
    expect(v.parse(deliveredHmac, hmac)).toMatchObject({
      secret: 'the-secret-that-signs',
      algorithms: ['hmac-sha512'],
    });
    expect(v.parse(deliveredJwt, shared)).toMatchObject({ key: 'shared', secret: 'the-secret-of-tokens' });
    expect(v.parse(deliveredJwt, keyed)).toMatchObject({ key: 'keyed', algorithm: 'EdDSA', public_key: pem });
    expect(keyed).not.toHaveProperty('secret');
  });

  it('say nothing of an expiry that was taken away', () => {
    const credentials = recordsOf(readConfiguration(text), 'consumer_credentials');
    const delivered = v.parse(
      deliveredApiKey,
      credentials.find(({ name }) => name === 'limited'),
    );
    expect(delivered).not.toHaveProperty('expires_at');
  });

  it('have nothing more: no key, no password, no mask, no note of an operator', () => {
    for (const absent of ['an-api-key-of-the-owner', 'the password of the owner', '[redacted', 'not for gateways']) {
      expect(text).not.toContain(absent);
    }
    const fields = new Set(
      recordsOf(readConfiguration(text), 'consumer_credentials').flatMap((one) => Object.keys(one)),
    );
    for (const field of ['password_mask', 'issuer', 'key_prefix', 'labels']) expect(fields).not.toContain(field);
  });
});
