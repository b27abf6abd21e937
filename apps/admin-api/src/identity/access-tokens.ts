import { errors, jwtVerify, SignJWT } from 'jose';
import { signingAlgorithm } from './new-signing-key.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Seconds for which an access token is good. Ending its session ends it sooner. */
export const accessTokenSeconds = 900;

/** How far the clocks of replicas may be apart, in seconds. */
export const clockLeewaySeconds = 5;

/** What an access token says: whose login it belongs to. Role and tenant are looked up, never taken from the token. */
export interface AccessClaims {
  readonly sessionId: string;
  readonly userId: string;
}

/** What a new access token is to say. */
export interface NewAccessClaims extends AccessClaims {
  /** The tenant that the user impersonates, for whoever looks into the token. Source: RFC 8693, 4.1, `act`. */
  readonly impersonatedTenantId?: string;
}

/** Signs and checks access tokens. */
export interface AccessTokens {
  issue(claims: NewAccessClaims): Promise<string>;
  /** Nothing when the token is malformed, forged, expired, or was made for something else. */
  verify(token: string): Promise<AccessClaims | undefined>;
}

const issuer = 'portcullis';
const audience = 'portcullis-admin-api';
const tokenType = 'at+jwt';
const tokenLengthMax = 2048;

/** Access tokens as JWTs by RFC 9068 with EdDSA. Source: RFC 8725; security, JWT rows. */
export function createAccessTokens(keys: SigningKeys, nowMs: () => number): AccessTokens {
  return {
    async issue(claims) {
      const { kid, key } = await keys.signer();
      const issuedAt = Math.floor(nowMs() / 1000);
      return new SignJWT({ sid: claims.sessionId, ...impersonationClaims(claims) })
        .setProtectedHeader({ alg: signingAlgorithm, kid, typ: tokenType })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(claims.userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(key);
    },
    async verify(token) {
      if (!isStrictCompact(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, (header) => keyOf(keys, header.kid), {
          algorithms: [signingAlgorithm],
          issuer,
          audience,
          typ: tokenType,
          requiredClaims: ['exp', 'iat', 'sub', 'sid'],
          clockTolerance: clockLeewaySeconds,
          currentDate: new Date(nowMs()),
        });
        const { sid, sub, exp } = payload;
        if (typeof sid !== 'string' || typeof sub !== 'string' || !Number.isSafeInteger(exp)) return undefined;
        return { sessionId: sid, userId: sub };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function impersonationClaims({ sessionId, userId, impersonatedTenantId }: NewAccessClaims): Record<string, unknown> {
  if (impersonatedTenantId === undefined) return {};
  return { tenant_id: impersonatedTenantId, impersonation_id: sessionId, act: { sub: userId } };
}

/** The key that a header names. Keys inside or behind a header (`jwk`, `jku`, `x5u`) are never looked at. */
async function keyOf(keys: SigningKeys, kid: unknown) {
  const key = typeof kid === 'string' ? await keys.verifier(kid) : undefined;
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

/** Three parts of unpadded base64url, each written in the only way there is to write it. */
function isStrictCompact(token: string): boolean {
  if (token.length > tokenLengthMax) return false;
  const parts = token.split('.');
  return (
    parts.length === 3 &&
    parts.every(
      (part) => /^[A-Za-z0-9_-]+$/.test(part) && Buffer.from(part, 'base64url').toString('base64url') === part,
    )
  );
}
