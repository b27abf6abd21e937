import type { HeaderView, PluginHooks, PluginLog, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { hasEvery } from '../shared/claims/scopes.ts';
import { compileUpstreamHeaders } from '../shared/claims/upstream-headers.ts';
import { leaveFacts } from '../shared/identity-facts.ts';
import { problemAnswer, refusal } from '../shared/problem.ts';
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
  credentialHeaders: ({ header_name: header }) => (header === undefined ? [] : [header]),
  secretNames: { valid_sessions: { key: 'id' } },
  setup(settings, { clock, log }): PluginHooks {
    const { cookie_name: cookie, header_name: header, hide_credentials: isHidden } = settings;
    const requiredGroups = settings.required_groups ?? [];
    const hiddenHeaders = isHidden && header !== undefined ? [header] : [];
    const table = compileSessions(settings, compileUpstreamHeaders(settings.upstream_headers, hiddenHeaders));
    const { unauthenticated, forbidden } = refusals(log, cookie);
    return {
      request(exchange) {
        const { headers } = exchange.request;
        const { id, problem } = presentedId(headers, cookie, header);
        if (id === undefined) return unauthenticated(exchange, problem);
        const session = findSession(table, id);
        if (session === undefined) return unauthenticated(exchange, 'unknown_session');
        if (session.expiresAtMs <= clock.nowMs()) return unauthenticated(exchange, 'session_expired');
        const consumer = identityOf(exchange, session);
        if (consumer === 'disabled') return unauthenticated(exchange, 'consumer_disabled');
        if (!session.hasRequiredRoles) return forbidden(exchange, 'missing_role');
        const groups = consumer?.groups ?? session.groups;
        if (!hasEvery(groups, requiredGroups)) return forbidden(exchange, 'missing_group');
        leaveFacts(exchange, session.facts, consumer);
        const told = session.headers();
        const edits = isHidden ? [...cookieRemoval(headers.getAll('cookie'), cookie), ...told] : told;
        return { headers: edits, ...(consumer === undefined ? {} : { consumer }) } satisfies RequestEdits;
      },
    };
  },
});

/** A session ID, or why there is none. */
type PresentedId =
  | { readonly id: string; readonly problem?: undefined }
  | {
      readonly id?: undefined;
      readonly problem: 'no_session' | 'several_cookies' | 'several_headers' | 'session_too_long';
    };

/**
 * The session ID of a request: the cookie's, and only without such a cookie the header's. Several cookies of the name, or several
 * lines of the header, are none: nobody could say which of them the upstream would read.
 */
function presentedId(headers: HeaderView, cookie: string, header: string | undefined): PresentedId {
  const cookies = cookieValues(headers.getAll('cookie'), cookie);
  if (cookies.length > 1) return { problem: 'several_cookies' };
  const presented = cookies.length > 0 || header === undefined ? cookies : headers.getAll(header);
  if (presented.length > 1) return { problem: 'several_headers' };
  const [id = ''] = presented;
  if (id === '') return { problem: 'no_session' };
  return id.length <= SESSION_ID_LENGTH_MAX ? { id } : { problem: 'session_too_long' };
}

function refusals(log: PluginLog, cookie: string) {
  const answers = {
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
  return {
    unauthenticated: refusal(log, answers.unauthenticated),
    forbidden: refusal(log, answers.forbidden),
  };
}
