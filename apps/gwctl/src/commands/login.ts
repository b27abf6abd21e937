import { clientFor } from '../api/client.ts';
import { problemFailure } from '../api/problem-failure.ts';
import { grantOf, textOf } from '../api/session-grant.ts';
import type { SessionGrant } from '../api/session-grant.ts';
import { checkedToken } from '../contexts/checked-token.ts';
import { readContexts } from '../contexts/context-file.ts';
import type { Context } from '../contexts/context-file.ts';
import { readEnvironment, variables } from '../contexts/environment.ts';
import { updateContexts, withContext } from '../contexts/update-contexts.ts';
import { redactToken } from '../contexts/redact-token.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printOutcome } from '../output/document.ts';
import { printMessage, printWarning } from '../output/messages.ts';
import { ask } from '../ask.ts';
import { readStandardInput } from '../standard-input.ts';

/** Options of `gwctl login`. */
export interface LoginOptions extends GlobalOptions {
  readonly username?: string;
  readonly password?: string;
  readonly passwordStdin?: boolean;
  readonly tokenStdin?: boolean;
  readonly contextName?: string;
  readonly tenantId?: string | undefined;
  readonly use: boolean;
}

const defaultApiUrl = 'http://127.0.0.1:8001';

/** More than any password or token has. */
const secretBytesMax = 16_384;

/** Creates or replaces a context, from a token or from a user's name and password. */
export async function login(options: LoginOptions): Promise<number> {
  const { contexts } = readContexts();
  const environment = readEnvironment();
  const name = options.contextName ?? options.context ?? environment.context ?? 'default';
  const before = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  const apiUrl = options.apiUrl ?? environment.apiUrl ?? before?.api_url ?? defaultApiUrl;
  const asked = { ...options, tenantId: options.tenantId ?? environment.tenantId };
  const token = await tokenGiven(options);
  const { grant, tenantId } = token === undefined ? await logIn(asked, apiUrl) : ownToken(token, asked, apiUrl);
  const context: Context = { api_url: apiUrl, ...grant, ...(tenantId === undefined ? {} : { tenant_id: tenantId }) };
  let current: string | null = null;
  await updateContexts((stored) => {
    current = options.use ? name : stored.current;
    const kept = Object.hasOwn(stored.contexts, name) ? withoutOwnFields(stored.contexts[name]) : {};
    return { ...withContext(stored, name, { ...kept, ...context }), current };
  });
  const state = options.use ? 'is now current' : `is saved; current is ${current ?? 'none'}`;
  const document = { context: name, current: current === name, api_url: apiUrl, tenant_id: tenantId ?? null };
  const message = `context ${name} (${apiUrl}, ${redactToken(context.token)}) ${state}`;
  await printOutcome(options.outputFormat, document, message);
  if (tenantId === undefined && options.outputFormat === 'table') {
    printMessage('it has no tenant: give --tenant-id to commands, or log in with it');
  }
  if (options.use && environment.token !== undefined) {
    printWarning(`${variables.token} is set and may be used in place of this login`);
  }
  return exitCodes.done;
}

interface Credentials {
  readonly grant: SessionGrant;
  readonly tenantId: string | undefined;
}

/** What is left of a context that is replaced: fields that only a later release knows. */
function withoutOwnFields(context: Context | undefined): Partial<Context> {
  const {
    api_url: _url,
    token: _token,
    tenant_id: _tenant,
    refresh_token: _refresh,
    expires_at: _end,
    ...kept
  } = {
    ...context,
  };
  return kept;
}

async function tokenGiven(options: LoginOptions): Promise<string | undefined> {
  if (options.tokenStdin !== true) return options.token;
  if (options.token !== undefined) throw new CommandFailure('give either --token or --token-stdin');
  if (options.passwordStdin === true) throw new CommandFailure('give either --token-stdin or --password-stdin');
  return (await readStandardInput(secretBytesMax)).toString('utf8');
}

function ownToken(given: string, options: LoginOptions, apiUrl: string): Credentials {
  if (options.username !== undefined || options.password !== undefined || options.passwordStdin === true) {
    throw new CommandFailure('give either --token, or --username and --password');
  }
  const token = checkedToken(given, options.tokenStdin === true ? 'what came on standard input' : '--token');
  clientFor({ apiUrl, token }, options);
  return { grant: { token }, tenantId: options.tenantId };
}

async function logIn(options: LoginOptions, apiUrl: string): Promise<Credentials> {
  const username = options.username ?? (await usernameOf(options));
  const client = clientFor({ apiUrl, token: undefined }, options);
  const password = await passwordOf(username, options);
  const body = { username, password, ...(options.tenantId && { tenant_id: options.tenantId }) };
  const answer = await client.request('POST', '/auth/login', { body });
  if (!answer.ok) {
    // A wrong password is no reason to log in again.
    throw answer.problem.status === 401
      ? new CommandFailure(`401 ${answer.problem.detail}`)
      : problemFailure(answer.problem);
  }
  const grant = grantOf(answer.body);
  if (!grant) throw new CommandFailure(`${apiUrl} answered the login without an access token`);
  return { grant, tenantId: options.tenantId ?? (await ownTenant(apiUrl, grant.token, options)) };
}

async function usernameOf({ password, passwordStdin }: LoginOptions): Promise<string> {
  if (!process.stdin.isTTY || password !== undefined || passwordStdin === true) {
    throw new CommandFailure('give --token, or --username and --password');
  }
  return ask('User name: ', { hidden: false });
}

async function passwordOf(username: string, { password, passwordStdin }: LoginOptions): Promise<string> {
  if (passwordStdin !== true) return password ?? ask(`Password of ${username}: `, { hidden: true });
  if (password !== undefined) throw new CommandFailure('give either --password or --password-stdin');
  const line = (await readStandardInput(secretBytesMax)).toString('utf8').replace(/\r?\n$/, '');
  if (line === '') throw new CommandFailure('no password came on standard input');
  return line;
}

/** The tenant that the user belongs to; a super administrator has none. */
async function ownTenant(apiUrl: string, token: string, options: LoginOptions): Promise<string | undefined> {
  const answer = await clientFor({ apiUrl, token }, options).request('GET', '/api/v1/tenants/current');
  return answer.ok ? textOf(answer.body, 'slug') : undefined;
}
