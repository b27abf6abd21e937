import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandFailure } from '../failure.ts';
import { printWarning } from '../output/messages.ts';
import { variable, variables } from './environment.ts';
import { errorCode } from './error-code.ts';

/** A control plane and how to get in. Fields that a later release adds are kept. */
export interface Context {
  readonly api_url: string;
  readonly token: string;
  readonly tenant_id?: string;
  /** Exchanged for a new token when the present one is about to end. Only a login with a password has one. */
  readonly refresh_token?: string;
  /** When the token ends, RFC 3339. */
  readonly expires_at?: string;
}

/** The content of the file. Fields that a later release adds are kept. */
export interface Contexts {
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, Context>>;
}

/**
 * Where contexts are kept; `undefined` for a user without a home folder, who has none.
 * Source: spec, Operator command-line tool.
 */
export function contextFilePath(): string | undefined {
  const named = variable(variables.config);
  if (named !== undefined) return path.resolve(named);
  const home = homeFolder();
  return home === undefined ? undefined : path.join(home, '.gwctl', 'config.json');
}

/** All contexts; none when there is no file yet. @throws CommandFailure for a file that cannot be read or understood */
export function readContexts(): Contexts {
  const file = contextFilePath();
  const text = file === undefined ? undefined : readText(file);
  if (text === undefined) return { current: null, contexts: {} };
  const contexts = parsed(text);
  if (!contexts) {
    throw new CommandFailure(`${file} is not a gwctl configuration: correct it, or remove it and log in again`);
  }
  return contexts;
}

/** A container's user may have no home, and `HOME=` would mean the working directory. */
function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return path.isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}

const warned = new Set<string>();

function readText(file: string): string | undefined {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0 && !warned.has(file)) {
      warned.add(file);
      printWarning(`${file} can be read by others and holds tokens: chmod 600 it`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new CommandFailure(`${file} cannot be read (${errorCode(error)})`);
  }
}

function parsed(text: string): Contexts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value['contexts'])) return undefined;
  const { current = null, contexts } = value;
  if (current !== null && typeof current !== 'string') return undefined;
  return Object.values(contexts).every(isContext)
    ? { ...value, current, contexts: contexts as Record<string, Context> }
    : undefined;
}

function isContext(value: unknown): value is Context {
  if (!isObject(value)) return false;
  const optional = [value['tenant_id'], value['refresh_token'], value['expires_at']];
  return (
    typeof value['api_url'] === 'string' &&
    typeof value['token'] === 'string' &&
    optional.every((field) => field === undefined || typeof field === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
