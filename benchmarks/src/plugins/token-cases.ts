import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEgress } from '@portcullis/egress';
import { gatewayDirectory } from './gateway-directory.ts';
import type { CaseParts } from './plugin-case.ts';
import { usual } from './usual-headers.ts';

/** Requests with tokens of their own. */
const newcomers = 12;

const claims = {
  iss: 'https://login.example/',
  aud: 'orders',
  sub: 'user-1',
  scope: 'orders:read profile',
  exp: 4_000_000_000,
};

/** Cases of tokens, by plugin. */
export const tokenCases: Readonly<Record<string, () => CaseParts | Promise<CaseParts>>> = {
  jwt_auth: sharedSecret,
  oauth2: introspected,
  oidc: publicKey,
};

/** HS256, of one consumer. */
async function sharedSecret(): Promise<CaseParts> {
  const secret = 'a-shared-secret-of-32-characters-and-more';
  const hmac = (signed: string): string => createHmac('sha256', secret).update(signed).digest('base64url');
  const [known = [], ...unseen] = tokens({ alg: 'HS256', typ: 'JWT' }, { iss: 'device' }, hmac);
  const consumers = await gatewayDirectory([{ type: 'jwt', key: 'device', algorithm: 'HS256', secret }]);
  return { config: {}, headers: known, unseen, consumers };
}

/** RS256 with 2048 bits, as most issuers sign. */
function publicKey(): CaseParts {
  const { privateKey, publicKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [known = [], ...unseen] = tokens({ alg: 'RS256', typ: 'JWT' }, {}, (signed) => rsa(signed, privateKey));
  return {
    config: {
      ...{ issuer: claims.iss, audience: claims.aud, algorithms: ['RS256'], required_scopes: ['orders:read'] },
      public_key: key.export({ type: 'spki', format: 'pem' }),
      upstream_headers: { 'X-User': 'sub' },
    },
    headers: known,
    unseen,
  };
}

function rsa(signed: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(signed), key).toString('base64url');
}

/** An issuer in this process that is asked over HTTP: its own processor time is in the first times. */
async function introspected(): Promise<CaseParts> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...claims, active: true }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
  const [known = [], ...unseen] = Array.from({ length: newcomers + 1 }, (_, index) =>
    bearer(`opaque-token-${index}-of-a-client`),
  );
  return {
    config: {
      introspection_url: `http://127.0.0.1:${port}/introspect`,
      required_scopes: ['orders:read'],
      upstream_headers: { 'X-User': 'sub' },
    },
    headers: known,
    unseen,
    outbound: egress,
    close: async () => {
      await egress.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Tokens that differ in their ID. */
function tokens(header: object, more: object, signature: (signed: string) => string): readonly (readonly string[])[] {
  return Array.from({ length: newcomers + 1 }, (_, index) => {
    const signed = [header, { ...claims, ...more, jti: `token-${index}` }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return bearer(`${signed}.${signature(signed)}`);
  });
}

function bearer(token: string): readonly string[] {
  return [...usual, 'authorization', `Bearer ${token}`];
}
