import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandFailure } from '../failure.ts';
import { printWarning } from '../output/terminal.ts';

/** A control plane and how to get in. */
export interface Context {
  readonly api_url: string;
  readonly token: string;
  readonly tenant_id?: string;
}

/** The content of the file. */
export interface Contexts {
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Where contexts are kept. Source: spec, Operator command-line tool. */
export function contextFilePath(): string {
  const named = process.env['GWCTL_CONFIG'];
  return named === undefined || named === '' ? path.join(homedir(), '.gwctl', 'config.json') : path.resolve(named);
}

/** All contexts; none when there is no file yet. @throws CommandFailure for a file that cannot be read or understood */
export function readContexts(): Contexts {
  const file = contextFilePath();
  const text = readText(file);
  if (text === undefined) return { current: null, contexts: {} };
  const contexts = parsed(text);
  if (!contexts) {
    throw new CommandFailure(`${file} is not a gwctl configuration: correct it, or remove it and log in again`);
  }
  return contexts;
}

/** Replaces the file as a whole: written beside it, readable by its owner only, then renamed. */
export function writeContexts(contexts: Contexts): void {
  const file = contextFilePath();
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      writeSync(descriptor, `${JSON.stringify(contexts, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new CommandFailure(`${file} cannot be written (${codeOf(error)})`);
  }
}

function readText(file: string): string | undefined {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      printWarning(`${file} can be read by others and holds tokens: chmod 600 it`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new CommandFailure(`${file} cannot be read (${codeOf(error)})`);
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
  const all = Object.entries(contexts);
  return all.every(([, context]) => isContext(context))
    ? { current, contexts: Object.fromEntries(all) as Record<string, Context> }
    : undefined;
}

function isContext(value: unknown): value is Context {
  if (!isObject(value)) return false;
  const { api_url: apiUrl, token, tenant_id: tenantId } = value;
  return (
    typeof apiUrl === 'string' && typeof token === 'string' && (tenantId === undefined || typeof tenantId === 'string')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
