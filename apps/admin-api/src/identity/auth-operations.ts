import * as v from 'valibot';
import type { AuditPort } from '../audits/audit-port.ts';
import type { Database } from '../database/database.ts';
import type { Operation, OperationOutput, ResponseDescription } from '../http/operation.ts';
import type { Log } from '../logging.ts';
import { accessTokenSeconds, type AccessTokens } from './access-tokens.ts';
import type { Authenticator } from './authenticator.ts';
import { type Login, refused } from './login.ts';
import { ownAct, revocation } from './session-audits.ts';
import type { OpenSession, Sessions } from './sessions.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { UserDirectory } from './user-directory.ts';

/** What the operations of logging in and out need. */
export interface AuthOperationsParts {
  readonly database: Database;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly users: UserDirectory;
  readonly accessTokens: AccessTokens;
  readonly keys: SigningKeys;
  readonly authenticator: Authenticator;
  readonly audit: AuditPort;
  readonly log: Log;
}

/** Bodies of logins are small; so is their bound. */
const authBodyBytesMax = 16_384;

const shortText = v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256));

const loginBody = v.pipe(
  v.strictObject({
    username: v.pipe(shortText, v.description('Case-sensitive')),
    password: v.pipe(v.string(), v.maxLength(1024)),
    tenant_id: v.optional(
      v.pipe(
        v.nullable(v.pipe(v.string(), v.maxLength(128))),
        v.description('Needed only when several tenants have a user of this name'),
      ),
    ),
  }),
  v.title('Login'),
);

const refreshBody = v.pipe(
  v.strictObject({ refresh_token: v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(512)) }),
  v.title('Refresh token'),
);

const tokensBody = v.pipe(
  v.object({
    access_token: v.pipe(v.string(), v.description('Bearer token for the administration API')),
    refresh_token: v.pipe(v.string(), v.description('Good for one refresh')),
    token_type: v.literal('Bearer'),
    expires_in: v.pipe(v.number(), v.integer(), v.description('Seconds for which the access token is good')),
  }),
  v.title('Session tokens'),
);

const jwksBody = v.pipe(
  v.object({ keys: v.array(v.looseObject({ kid: v.string(), kty: v.string() })) }),
  v.title('JSON Web Key Set'),
);

/** Login, refresh, logout and the public keys. Source: wire contract, Users, tokens, tenants. */
export function authOperations(parts: AuthOperationsParts): Operation[] {
  return [loginOperation(parts), refreshOperation(parts), logoutOperation(parts), keysOperation(parts)];
}

const common = { tag: 'Authentication', access: 'public' } as const;
const tokensResponse: ResponseDescription = {
  status: 200,
  description: 'The tokens of the session',
  schema: tokensBody,
};
const refusedResponse: ResponseDescription = { status: 401, description: 'The credentials are not valid' };

function loginOperation(parts: AuthOperationsParts): Operation {
  return {
    ...common,
    id: 'login',
    method: 'POST',
    paths: printedPaths('/auth/login'),
    summary: 'Log in with a user name and a password',
    body: { schema: loginBody, bytesMax: authBodyBytesMax },
    responses: [
      tokensResponse,
      refusedResponse,
      { status: 429, description: 'Too many failed logins; see Retry-After' },
    ],
    async handler({ body, request }) {
      const { username, password, tenant_id: tenantId } = body as v.InferOutput<typeof loginBody>;
      return tokensOutput(parts, await parts.login({ username, password, tenant_id: tenantId ?? undefined }, request));
    },
  };
}

function refreshOperation(parts: AuthOperationsParts): Operation {
  return {
    ...common,
    id: 'refreshSession',
    method: 'POST',
    paths: printedPaths('/auth/refresh'),
    summary: 'Exchange a refresh token; using one twice ends the session',
    body: { schema: refreshBody, bytesMax: authBodyBytesMax },
    responses: [tokensResponse, refusedResponse],
    async handler({ body, request }) {
      const { refresh_token: refreshToken } = body as v.InferOutput<typeof refreshBody>;
      const session = await parts.sessions.findByRefreshToken(parts.database.read, refreshToken);
      const user = session && (await parts.users.activeOwnerOf(session));
      if (!user) throw refused();
      const exchange = await parts.database.transaction(async (transaction) => {
        const result = await parts.sessions.rotate(transaction, refreshToken);
        if (result.outcome === 'reused') {
          await parts.audit.append(transaction, [revocation(result.session, user, request)]);
        }
        return result;
      });
      if (exchange.outcome === 'exchanged') return tokensOutput(parts, exchange.open);
      if (exchange.outcome === 'reused') {
        parts.authenticator.forgetSessions();
        const { requestId: request_id, sourceIp: source_ip } = request;
        const who = { session_id: exchange.session.id, user_id: user.id, tenant_id: user.tenantId };
        parts.log.warn({ request_id, source_ip, ...who }, 'a refresh token came a second time; its login is revoked');
      }
      throw refused();
    },
  };
}

function logoutOperation(parts: AuthOperationsParts): Operation {
  return {
    ...common,
    id: 'logout',
    method: 'POST',
    paths: printedPaths('/auth/logout'),
    summary: 'End the session of a refresh token',
    body: { schema: refreshBody, bytesMax: authBodyBytesMax },
    responses: [{ status: 204, description: 'The session is over' }, refusedResponse],
    async handler({ body, request }) {
      const { refresh_token: refreshToken } = body as v.InferOutput<typeof refreshBody>;
      const session = await parts.sessions.findByRefreshToken(parts.database.read, refreshToken);
      if (!session) throw refused();
      const user = await parts.users.ownerOf(session);
      const end = await parts.database.transaction(async (transaction) => {
        const result = await parts.sessions.end(transaction, refreshToken);
        if (result?.wasOpen) await parts.audit.append(transaction, [ownAct('logout', session, user, request)]);
        return result;
      });
      if (!end) throw refused();
      parts.authenticator.forgetSessions();
      return { status: 204 };
    },
  };
}

function keysOperation(parts: AuthOperationsParts): Operation {
  return {
    ...common,
    id: 'listSigningKeys',
    method: 'GET',
    paths: ['/.well-known/jwks.json'],
    summary: 'Public keys that verify access tokens',
    responses: [{ status: 200, description: 'The keys', schema: jwksBody }],
    async handler() {
      return {
        status: 200,
        headers: { 'cache-control': 'public, max-age=60' },
        body: { keys: await parts.keys.publicKeys() },
      };
    },
  };
}

async function tokensOutput(parts: AuthOperationsParts, open: OpenSession): Promise<OperationOutput> {
  const { session, refreshToken } = open;
  const accessToken = await parts.accessTokens.issue({ sessionId: session.id, userId: session.user_id });
  const body = {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
  };
  return { status: 200, body };
}

/** Paths that the specification prints without a prefix answer under the prefixes too. Source: design, admin-api. */
function printedPaths(path: string): readonly string[] {
  return [path, `/api/v1${path}`, `/admin${path}`];
}
