import { argon2Sync, createHmac, randomBytes } from 'node:crypto';
import { createEgress } from '@portcullis/egress';
import { hasSlapd, startSlapd } from '@portcullis/testkit';
import { extendedKeyUsage, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { apiKey, gatewayDirectory } from './gateway-directory.ts';
import type { CaseParts } from './plugin-case.ts';
import { usual } from './usual-headers.ts';

/** Credentials of the tenant in a typical case. */
const credentials = 1000;
/** Requests with credentials of their own, where what is new costs more than what was seen. */
const newcomers = 12;

/** Cases of credentials, certificates and sessions, by plugin. */
export const authenticationCases: Readonly<Record<string, () => CaseParts | Promise<CaseParts>>> = {
  api_key_auth: apiKeys,
  basic_auth: passwords,
  hmac_auth: signatures,
  ldap_auth: directory,
  mtls_client_certificate_auth: certificates,
  session_cookie_auth: sessions,
  vault_authentication: () => ({
    config: { secret_ref: 'vault://prod/billing/token' },
    headers: usual,
    secrets: { read: () => 'a secret that the vault has kept' },
  }),
};

async function apiKeys(): Promise<CaseParts> {
  const keys = Array.from({ length: credentials }, (_, index) => `key-${index}-of-the-benchmark`);
  return {
    config: { valid_keys: [] },
    headers: [...usual, 'x-api-key', 'key-500-of-the-benchmark'],
    consumers: await gatewayDirectory(keys.map((key) => apiKey(key))),
  };
}

const basic = (user: string, password: string): readonly string[] => [
  ...usual,
  'authorization',
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
];

/** Passwords of consumers, hashed as the control plane hashes them. */
async function passwords(): Promise<CaseParts> {
  const users = Array.from({ length: newcomers + 1 }, (_, index) => [`user-${index}`, `password of ${index}`] as const);
  const records = users.map(([username, password]) => ({
    type: 'basic',
    username,
    password_hash: argon2Hash(password),
  }));
  const [known, ...others] = users.map(([user, password]) => basic(user, password));
  return {
    config: { allowed_users: [] },
    headers: known ?? [],
    unseen: others,
    consumers: await gatewayDirectory(records),
  };
}

function argon2Hash(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(nonce)}$${text(tag)}`;
}

/** Signed as clients of Kong's plugin sign: date and request line. Nothing of it can be kept. */
async function signatures(): Promise<CaseParts> {
  const secret = 'a-secret-that-signs-requests';
  const date = new Date().toUTCString();
  const signature = createHmac('sha256', secret).update(`date: ${date}\nGET /orders HTTP/1.1`).digest('base64');
  const parts = `username="key", algorithm="hmac-sha256", headers="date request-line", signature="${signature}"`;
  return {
    config: { clock_skew: 3600 },
    headers: [...usual, 'date', date, 'authorization', `hmac ${parts}`],
    consumers: await gatewayDirectory([{ type: 'hmac', key_id: 'key', secret, algorithms: ['hmac-sha256'] }]),
  };
}

/** A real server, without TLS: binds of users that were not seen are in the first times, its own processor time is not. */
async function directory(): Promise<CaseParts> {
  if (!hasSlapd) throw new Error('ldap_auth is measured with slapd, which is not installed');
  const users = Array.from({ length: newcomers + 1 }, (_, index) => ({
    uid: `user-${index}`,
    password: `of ${index}`,
  }));
  const slapd = await startSlapd(users);
  const egress = createEgress({ allowed: [{ address: '127.0.0.1' }] });
  const [known, ...others] = users.map(({ uid, password }) => basic(uid, password));
  return {
    config: { server_url: slapd.url, use_ssl: false, user_dn_template: `uid={username},${slapd.usersDn}` },
    headers: known ?? [],
    unseen: others,
    outbound: egress,
    close: async () => {
      await egress.close();
      await slapd[Symbol.asyncDispose]();
    },
  };
}

/** Certificates that a trusted proxy forwards, of one authority. */
function certificates(): CaseParts {
  const authority = makeAuthority();
  const extensions = [extendedKeyUsage('1.3.6.1.5.5.7.3.2')];
  const [known, ...others] = Array.from({ length: newcomers + 1 }, (_, index) => {
    const { pem } = makeCertificate({ subject: `client-${index}`, issuer: authority, extensions, serial: index + 2 });
    return [...usual, 'x-ssl-client-cert', encodeURIComponent(pem)];
  });
  return {
    config: { trusted_ca_pems: [authority.pem] },
    headers: known ?? [],
    unseen: others,
    isFromTrustedPeer: true,
  };
}

function sessions(): CaseParts {
  const ids = Array.from({ length: credentials }, (_, index) => `session-${index}-of-the-benchmark`);
  return {
    config: { valid_sessions: ids.map((id) => ({ id, consumer: 'acme', username: 'kim' })) },
    headers: [...usual, 'cookie', 'theme=dark; session=session-500-of-the-benchmark; lang=en'],
  };
}
