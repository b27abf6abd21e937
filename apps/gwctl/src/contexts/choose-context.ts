import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { checkedToken } from './checked-token.ts';
import { readContexts } from './context-file.ts';
import type { Context } from './context-file.ts';
import { readEnvironment, variables } from './environment.ts';
import type { Environment } from './environment.ts';

/** Where a command goes and as whom. */
export interface Destination {
  readonly apiUrl: string;
  readonly token: string | undefined;
  readonly tenantId: string | undefined;
  /** The context that the token comes from, where it comes from one: its session can be renewed. */
  readonly contextName?: string;
}

/**
 * The destination out of the options, the environment and the named or current context; each beats what comes after it. A
 * token is sent only to the address that it came with: a context's to that context's own, the environment's to
 * `GWCTL_API_URL` or, without one, to an address that the command line gives or the context that the environment names.
 * `--context` is an option, so its address and token beat the environment's.
 * @throws CommandFailure when there is none, the named context does not exist, or the token is none
 */
export function chooseDestination(options: GlobalOptions): Destination {
  const environment = readEnvironment();
  const { current, contexts } = readContexts();
  const wanted = options.context ?? environment.context;
  const name = wanted ?? current ?? undefined;
  const context = name !== undefined && Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (wanted !== undefined && !context) throw unknownContext(wanted, Object.keys(contexts));
  const named = options.context === undefined ? environment : nothing;
  const apiUrl = options.apiUrl ?? named.apiUrl ?? context?.api_url;
  if (apiUrl === undefined) {
    throw new CommandFailure('no context is set: run gwctl login, or give --api-url and --token before the command');
  }
  const isOwn = context !== undefined && sameAddress(apiUrl, context.api_url);
  const tenantId = named.tenantId ?? (isOwn ? context.tenant_id : undefined) ?? environment.tenantId;
  if (options.token !== undefined) return { apiUrl, token: checkedToken(options.token, '--token'), tenantId };
  if (named.token !== undefined && isEnvironmentsOwn(apiUrl, options, named)) {
    return { apiUrl, token: checkedToken(named.token, variables.token), tenantId };
  }
  if (named.token !== undefined && isOwn && options.apiUrl === undefined && named.apiUrl === undefined) {
    throw straySecret(name ?? '');
  }
  if (!isOwn || name === undefined) return { apiUrl, token: undefined, tenantId };
  return { apiUrl, token: tokenOf(context), tenantId, contextName: name };
}

const nothing: Environment = { apiUrl: undefined, token: undefined, context: undefined, tenantId: undefined };

/** The token of a context. @throws CommandFailure for a text that is none */
export function tokenOf(context: Context): string {
  return checkedToken(context.token, 'what the context holds');
}

function isEnvironmentsOwn(apiUrl: string, options: GlobalOptions, environment: Environment): boolean {
  if (environment.apiUrl !== undefined) return sameAddress(apiUrl, environment.apiUrl);
  return options.apiUrl !== undefined || environment.context !== undefined;
}

/** A variable that is set for one control plane must not reach another because a context was changed elsewhere. */
function straySecret(name: string): CommandFailure {
  return new CommandFailure(
    `${variables.token} comes without an address and is not sent to that of context ${name}: ` +
      `set ${variables.apiUrl} or ${variables.context} too, or give --context`,
  );
}

/** The failure of naming a context that is not there. */
export function unknownContext(name: string, known: readonly string[]): CommandFailure {
  const hint = known.length > 0 ? `there are: ${known.join(', ')}` : 'there are none: run gwctl login';
  return new CommandFailure(`no context is called ${name}; ${hint}`);
}

/** Whether two addresses are one, whatever their case and last slashes. */
export function sameAddress(left: string, right: string): boolean {
  return normal(left) === normal(right);
}

function normal(address: string): string {
  return (URL.canParse(address) ? new URL(address).href : address).replace(/\/+$/, '');
}
