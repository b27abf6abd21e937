import { clientFor } from '../api/session.ts';
import { problemFailure } from '../api/problem-failure.ts';
import { checkedToken } from '../contexts/checked-token.ts';
import { readContexts, writeContexts } from '../contexts/context-file.ts';
import { redactToken } from '../contexts/redact-token.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printMessage } from '../output/terminal.ts';
import { promptHidden } from '../prompt-hidden.ts';
import { readStandardInput } from '../standard-input.ts';

/** Options of `gwctl login`. */
export interface LoginOptions extends GlobalOptions {
  readonly username?: string;
  readonly password?: string;
  readonly passwordStdin?: boolean;
  readonly contextName?: string;
  readonly tenantId?: string;
  readonly use: boolean;
}

const defaultApiUrl = 'http://127.0.0.1:8001';

/** More than any password has. */
const passwordBytesMax = 4096;

/** Creates or replaces a context, from a token or from a user's name and password. */
export async function login(options: LoginOptions): Promise<number> {
  const stored = readContexts();
  const name = options.contextName ?? options.context ?? 'default';
  const before = Object.hasOwn(stored.contexts, name) ? stored.contexts[name] : undefined;
  const apiUrl = options.apiUrl ?? before?.api_url ?? defaultApiUrl;
  const { token, tenantId } = options.token === undefined ? await logIn(options, apiUrl) : tokenOf(options, apiUrl);
  const context = { api_url: apiUrl, token, ...(tenantId === undefined ? {} : { tenant_id: tenantId }) };
  writeContexts({ current: options.use ? name : stored.current, contexts: { ...stored.contexts, [name]: context } });
  const state = options.use ? 'is now current' : `is saved; current is ${stored.current ?? 'none'}`;
  printMessage(`context ${name} (${apiUrl}, ${redactToken(token)}) ${state}`);
  return exitCodes.done;
}

interface Credentials {
  readonly token: string;
  readonly tenantId: string | undefined;
}

function tokenOf(options: LoginOptions, apiUrl: string): Credentials {
  if (options.username !== undefined || options.password !== undefined || options.passwordStdin === true) {
    throw new CommandFailure('give either --token, or --username and --password');
  }
  const token = checkedToken(options.token ?? '', '--token');
  clientFor({ apiUrl, token }, options.timeoutMs);
  return { token, tenantId: options.tenantId };
}

async function logIn(options: LoginOptions, apiUrl: string): Promise<Credentials> {
  if (options.username === undefined) throw new CommandFailure('give --token, or --username and --password');
  const client = clientFor({ apiUrl, token: undefined }, options.timeoutMs);
  const password = await passwordOf(options.username, options);
  const body = { username: options.username, password, ...(options.tenantId && { tenant_id: options.tenantId }) };
  const answer = await client.request('POST', '/auth/login', { body });
  if (!answer.ok) {
    // A wrong password is no reason to log in again.
    throw answer.problem.status === 401
      ? new CommandFailure(`401 ${answer.problem.detail}`)
      : problemFailure(answer.problem);
  }
  const token = fieldOf(answer.body, 'access_token');
  if (token === undefined) throw new CommandFailure(`${apiUrl} answered the login without an access token`);
  return { token, tenantId: options.tenantId ?? (await ownTenant(apiUrl, token, options.timeoutMs)) };
}

async function passwordOf(username: string, { password, passwordStdin }: LoginOptions): Promise<string> {
  if (passwordStdin !== true) return password ?? promptHidden(`Password of ${username}: `);
  if (password !== undefined) throw new CommandFailure('give either --password or --password-stdin');
  const line = (await readStandardInput(passwordBytesMax)).toString('utf8').replace(/\r?\n$/, '');
  if (line === '') throw new CommandFailure('no password came on standard input');
  return line;
}

/** The tenant that the user belongs to; a super administrator has none. */
async function ownTenant(apiUrl: string, token: string, timeoutMs: number): Promise<string | undefined> {
  const answer = await clientFor({ apiUrl, token }, timeoutMs).request('GET', '/api/v1/tenants/current');
  return answer.ok ? fieldOf(answer.body, 'slug') : undefined;
}

function fieldOf(body: unknown, field: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
