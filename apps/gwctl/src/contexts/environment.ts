import { CommandFailure } from '../failure.ts';
import { timeoutMsOf } from '../options.ts';

/** What the environment says in place of options. An option beats it, and it beats the current context. */
export interface Environment {
  readonly apiUrl: string | undefined;
  readonly token: string | undefined;
  readonly context: string | undefined;
  readonly tenantId: string | undefined;
}

/** The variables that stand for options. `GWCTL_CONFIG` names the file of contexts; an empty variable is none. */
export const variables = {
  apiUrl: 'GWCTL_API_URL',
  token: 'GWCTL_TOKEN',
  context: 'GWCTL_CONTEXT',
  tenantId: 'GWCTL_TENANT_ID',
  timeout: 'GWCTL_TIMEOUT',
  config: 'GWCTL_CONFIG',
} as const;

/** Reads {@link Environment}. */
export function readEnvironment(): Environment {
  return {
    apiUrl: variable(variables.apiUrl),
    token: variable(variables.token),
    context: variable(variables.context),
    tenantId: variable(variables.tenantId),
  };
}

/** Milliseconds of `GWCTL_TIMEOUT`. @throws CommandFailure for a text that is no time limit */
export function timeoutMsOfEnvironment(): number | undefined {
  const text = variable(variables.timeout);
  if (text === undefined) return undefined;
  const timeoutMs = timeoutMsOf(text);
  if (timeoutMs === undefined) {
    throw new CommandFailure(`${variables.timeout} must be a number of seconds above 0, at most 3600`);
  }
  return timeoutMs;
}

/** The value of a variable, `undefined` where it is empty or missing. */
export function variable(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === '' ? undefined : value;
}
