import type { HeaderView, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { hasEvery } from '../shared/claims/scopes.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { problemAnswer } from '../shared/problem.ts';
import { config, SESSION_ID_LENGTH_MAX } from './config.ts';
import { cookieRemoval, cookieValues } from './cookie-lines.ts';
import { compileSessions, findSession, identityOf } from './session-table.ts';

/** Lets requests of known sessions pass. */
export const sessionCookieAuth: BuiltIn = builtIn({
  name: 'session_cookie_auth',
  version: '1.0.0',
  category: 'authentication',
  triggers: ['before_request'],
  description:
    'Lets requests pass that carry the ID of a known session in a cookie, and tells the upstream whose it is',
  config,
  secretNames: { valid_sessions: { key: 'id' } },
  setup(settings, { clock }): PluginHooks {
    const { cookie_name: cookie, header_name: header, hide_credentials: isHidden } = settings;
    const requiredGroups = settings.required_groups ?? [];
    const hiddenHeaders = isHidden && header !== undefined ? [header] : [];
    const table = compileSessions(settings, compileUpstreamHeaders(settings.upstream_headers, hiddenHeaders));
    const { unauthenticated, forbidden } = refusals(cookie);
    return {
      request(exchange) {
        const { headers } = exchange.request;
        const id = presentedId(headers, cookie, header);
        const session = id === undefined ? undefined : findSession(table, id);
        if (session === undefined || session.expiresAtMs <= clock.nowMs()) return unauthenticated(exchange);
        const consumer = identityOf(exchange, session);
        if (consumer === 'disabled') return unauthenticated(exchange);
        const isAllowed = session.hasRequiredRoles && hasEvery(consumer?.groups ?? session.groups, requiredGroups);
        if (!isAllowed) return forbidden(exchange);
        const told = session.headers();
        const edits = isHidden ? [...cookieRemoval(headers.getAll('cookie'), cookie), ...told] : told;
        return { headers: edits, ...(consumer === undefined ? {} : { consumer }) } satisfies RequestEdits;
      },
    };
  },
});

/**
 * The session ID of a request: the cookie's, and only without such a cookie the header's. Several cookies of the name, or several
 * lines of the header, are none: nobody could say which of them the upstream would read.
 */
function presentedId(headers: HeaderView, cookie: string, header: string | undefined): string | undefined {
  const cookies = cookieValues(headers.getAll('cookie'), cookie);
  const presented = cookies.length > 0 || header === undefined ? cookies : headers.getAll(header);
  const [id] = presented;
  return presented.length === 1 && id !== undefined && id.length <= SESSION_ID_LENGTH_MAX ? id : undefined;
}

function refusals(cookie: string) {
  return {
    unauthenticated: problemAnswer(
      {
        status: 401,
        code: 'unauthenticated',
        title: 'Unauthorized',
        detail: `a valid session is required in the cookie ${cookie}`,
      },
      ['www-authenticate', `Cookie realm="api", cookie-name="${cookie}"`],
    ),
    forbidden: problemAnswer({
      status: 403,
      code: 'forbidden',
      title: 'Forbidden',
      detail: 'the session does not have every role and group that is required',
    }),
  };
}
