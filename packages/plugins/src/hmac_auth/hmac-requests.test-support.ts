import { createHmac, hash } from 'node:crypto';
import { noConsumers, type ConsumerDirectory, type HmacCredential } from '@portcullis/plugin-runtime';
import type { TestRequest } from '../testing/plugin-bench.ts';

export const acme = { id: 'c1', username: 'acme', groups: ['gold'], credentialId: 'k1' };

/** The clock of tests begins here. */
export const NOW_MS = Date.UTC(2026, 0, 1);
export const NOW = new Date(NOW_MS).toUTCString();

const credential = (more: Partial<HmacCredential> = {}): HmacCredential => ({
  match: { consumer: acme },
  secret: 'shared secret é',
  algorithms: ['hmac-sha256', 'hmac-sha512'],
  ...more,
});

const credentials: Readonly<Record<string, HmacCredential>> = {
  key: credential(),
  other: credential({ secret: 'another secret' }),
  weak: credential({ algorithms: ['hmac-sha384'] }),
  brief: credential({ match: { consumer: acme, expiresAtMs: NOW_MS + 1000 } }),
};

export const consumers: ConsumerDirectory = {
  ...noConsumers,
  findHmac: (keyId) => (Object.hasOwn(credentials, keyId) ? credentials[keyId] : undefined),
};

export function macOf(text: string, algorithm = 'hmac-sha256', secret = 'shared secret é'): string {
  return createHmac(algorithm.slice(5), secret).update(text).digest('base64');
}

export function sha256(body: string): string {
  return hash('sha256', body, 'base64');
}

/** The parts of a signature of Kong's form; each can be another than the one that would be right. */
export interface SignedParts {
  readonly username?: string;
  readonly algorithm?: string;
  readonly names?: string;
  /** What the client signs. */
  readonly text?: string;
  readonly secret?: string;
  readonly scheme?: string;
  readonly signature?: string;
  /** Further headers. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** `GET /orders?page=2`, signed as Kong's clients do. */
export function signed(parts: SignedParts = {}): TestRequest {
  const { username = 'key', algorithm = 'hmac-sha256', names = 'date request-line', scheme = 'hmac' } = parts;
  const { text = `date: ${NOW}\nGET /orders?page=2 HTTP/1.1`, secret, headers = ['Date', NOW], body } = parts;
  const { signature = macOf(text, algorithm.startsWith('hmac-sha') ? algorithm : 'hmac-sha256', secret) } = parts;
  const value = `${scheme} username="${username}", algorithm="${algorithm}", headers="${names}", signature="${signature}"`;
  return {
    method: 'GET',
    path: '/orders',
    query: 'page=2',
    headers: [...headers, 'Authorization', value],
    consumers,
    ...(body === undefined ? {} : { body }),
  };
}

/** The same request with a signature of RFC 9421. */
export function messageSigned(parts: {
  readonly input: string;
  readonly lines?: readonly string[];
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly label?: string;
  readonly signature?: string;
}): TestRequest {
  const { input, headers = [], body, label = 'sig1' } = parts;
  const { lines = ['"@method": GET', '"@authority": api.test', '"@path": /orders', '"@query": ?page=2'] } = parts;
  const { signature = macOf([...lines, `"@signature-params": ${input}`].join('\n')) } = parts;
  return {
    method: 'GET',
    path: '/orders',
    query: 'page=2',
    headers: [...headers, 'Signature-Input', `${label}=${input}`, 'Signature', `${label}=:${signature}:`],
    consumers,
    ...(body === undefined ? {} : { body }),
  };
}
