import { CommandFailure } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { checkedToken } from './checked-token.ts';
import { readContexts } from './context-file.ts';

/** Where a command goes and as whom. */
export interface Destination {
  readonly apiUrl: string;
  readonly token: string | undefined;
  readonly tenantId: string | undefined;
}

/**
 * The destination out of the options and the named or current context. A context's token is never sent to another address
 * than the context's own. @throws CommandFailure when there is none, the named context does not exist, or the
 * token is none
 */
export function chooseDestination(options: GlobalOptions): Destination {
  const { current, contexts } = readContexts();
  const name = options.context ?? current ?? undefined;
  const context = name !== undefined && Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (options.context !== undefined && !context) throw unknownContext(options.context, Object.keys(contexts));
  const apiUrl = options.apiUrl ?? context?.api_url;
  if (apiUrl === undefined) {
    throw new CommandFailure('no context is set: run gwctl login, or give --api-url and --token before the command');
  }
  const isOwn = context !== undefined && sameAddress(apiUrl, context.api_url);
  return {
    apiUrl,
    token: tokenFrom(options.token, isOwn ? context.token : undefined),
    tenantId: isOwn ? context.tenant_id : undefined,
  };
}

function tokenFrom(option: string | undefined, kept: string | undefined): string | undefined {
  if (option !== undefined) return checkedToken(option, '--token');
  return kept === undefined ? undefined : checkedToken(kept, 'what the context holds');
}

/** The failure of naming a context that is not there. */
export function unknownContext(name: string, known: readonly string[]): CommandFailure {
  const hint = known.length > 0 ? `there are: ${known.join(', ')}` : 'there are none: run gwctl login';
  return new CommandFailure(`no context is called ${name}; ${hint}`);
}

function sameAddress(left: string, right: string): boolean {
  return left.replace(/\/+$/, '') === right.replace(/\/+$/, '');
}
