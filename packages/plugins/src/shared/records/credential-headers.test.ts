import { createRuntime, type InlinePlugin, type PluginServices } from '@portcullis/plugin-runtime';
import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { apiKeyAuth } from '../../api_key_auth/index.ts';
import { httpLog } from '../../http_log/index.ts';
import { jwtAuth } from '../../jwt_auth/index.ts';
import { ldapAuth } from '../../ldap_auth/index.ts';
import { mtlsClientCertificateAuth } from '../../mtls_client_certificate_auth/index.ts';
import { oauth2 } from '../../oauth2/index.ts';
import { oidc } from '../../oidc/index.ts';
import { requestTermination } from '../../request_termination/index.ts';
import { sessionCookieAuth } from '../../session_cookie_auth/index.ts';
import { vaultAuthentication } from '../../vault_authentication/index.ts';
import { loopback } from '../../testing/emitter-bench.ts';
import { startHttpSink } from '../../testing/http-sink.ts';
import { exchangeOf } from '../../testing/plugin-bench.ts';
import { credentialHeadersOf, withCredentialHeaders } from './credential-headers.ts';

const packages = [
  ...[apiKeyAuth, jwtAuth, ldapAuth, mtlsClientCertificateAuth, oauth2, oidc, sessionCookieAuth, vaultAuthentication],
  ...[requestTermination, httpLog],
];

const pem =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n';

/** Headers of the request in its only record. */
async function loggedHeaders(...inline: readonly InlinePlugin[]): Promise<unknown> {
  await using sink = await startHttpSink();
  const log = { name: 'http_log', config: { endpoint: sink.url, include_headers: true }, trigger: 'all' } as const;
  const runtime = createRuntime({
    plugins: packages.map(({ plugin }) => plugin),
    inline: [...inline, log],
    outbound: loopback,
    secrets: { read: () => 'canary' },
  });
  const exchange = exchangeOf({ headers: ['X-Client', 'canary', 'X-Other', 'seen'] });
  const chain = runtime.chainFor({ gateway: { id: 'g1', name: 'edge' } });
  await chain.runRequest(exchange);
  if (!exchange.hasResponse) exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
  await chain.runResponse(exchange);
  exchange.end({ status: exchange.response.status, isComplete: true });
  runtime.dispose();
  await runtime.settled();
  return sink.records()[0]?.['request_headers'];
}

describe('a header that a credential stands in, whatever its name,', () => {
  it.each([
    ['api_key_auth', { header_name: 'X-Client', valid_keys: ['canary'] }],
    ['jwt_auth', { token_header: 'X-Client' }],
    ['ldap_auth', { header_name: 'X-Client', server_url: 'ldap://ldap.test', user_dn_template: 'uid={username},o=a' }],
    ['mtls_client_certificate_auth', { header_name: 'X-Client', trusted_fingerprints: ['ab'.repeat(32)] }],
    ['oauth2', { token_header: 'X-Client', valid_tokens: ['canary'] }],
    ['oidc', { token_header: 'X-Client', issuer: 'https://login.test/', audience: 'a', public_key: pem }],
    ['session_cookie_auth', { header_name: 'X-Client', valid_session_ids: ['canary'] }],
    ['vault_authentication', { mode: 'header', header_name: 'X-Client', secret_ref: 'vault://a/b' }],
  ])('is redacted where %s is set up, also of requests that do not reach it', async (name, config) => {
    const stopping = { header_equals: { 'X-Other': 'seen' } };
    const stops = { name: 'request_termination', trigger: 'before_request', config: stopping } as const;
    const chains = [
      [{ name, config }],
      ...[1, -1].map((priority) => [
        { name, config },
        { ...stops, priority },
      ]),
    ];
    for (const chain of chains) {
      const headers = await loggedHeaders(...chain);
      expect(headers).toMatchObject({ 'x-other': 'seen' });
      expect(JSON.stringify(headers)).not.toContain('canary');
    }
  });

  it('is shown where no package says so', async () => {
    expect(await loggedHeaders()).toEqual({ 'x-client': 'canary', 'x-other': 'seen' });
  });

  it('is one for the tenant, as long as an instance says so', async () => {
    const clock = new FakeClock();
    const of = (tenantId: string): Pick<PluginServices, 'clock' | 'instance'> => ({
      clock,
      instance: { id: 'i', name: 'api_key_auth', tenantId },
    });
    const [mine, other] = [credentialHeadersOf(of('t1')), credentialHeadersOf(of('t2'))];
    const [first, second] = [1, 2].map(() => withCredentialHeaders(['X-Client', 'Authorization'], of('t1'), {}));
    const seen = () => [mine.space.has('x-client'), other.space.has('x-client')];
    expect(seen()).toEqual([true, false]);
    await first?.dispose?.();
    expect(seen()).toEqual([true, false]);
    await second?.dispose?.();
    expect(seen()).toEqual([false, false]);
    mine.release();
    expect(credentialHeadersOf(of('t1')).space).not.toBe(mine.space);
  });
});
