import { createHmac, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

type Claims = Readonly<Record<string, unknown>>;

/** Seconds since 1970, some seconds from now. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** A token signed with an ECDSA key on P-256. */
export function es256Token(claims: Claims, key: KeyObject, keyId: string): string {
  const signed = unsigned({ alg: 'ES256', typ: 'JWT', kid: keyId }, claims);
  return `${signed}.${sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** A token signed with a shared secret. */
export function hs256Token(claims: Claims, secret: string): string {
  const signed = unsigned({ alg: 'HS256', typ: 'JWT' }, claims);
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function unsigned(header: object, claims: Claims): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}
