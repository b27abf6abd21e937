import { readFileSync, writeFileSync } from 'node:fs';
import { startProcess, startUpstream, temporaryFolder } from '@portcullis/testkit';
import type { RecordedRequest, Upstream } from '@portcullis/testkit';
import { gwctlArgs } from './built-gwctl.test-support.ts';
import { ownRelease } from './release.ts';

/** What the API answers: a body with status 200, or a status and a body. */
export type Answers = Readonly<Record<string, unknown>>;

/** An answer that is not plain 200. */
export function answer(status: number, body?: unknown, headers: Record<string, string> = {}) {
  return { status, body, headers, isAnswer: true } as const;
}

/** A problem document as the API sends it. */
export function problem(status: number, code: string, detail: string, errors: unknown[] = []) {
  return answer(status, { status, code, title: code, detail, errors }, { 'content-type': 'application/problem+json' });
}

/** A real HTTP server that gives the API's answers by `METHOD path`; anything else is its 404. */
export async function startFakeApi(answers: Answers): Promise<Upstream> {
  const all: Answers = { 'GET /api/versions': { current: 'v1', release: ownRelease() }, ...answers };
  return startUpstream((_req, res, request) => {
    const said = all[routeOf(request)] ?? problem(404, 'not_found', 'there is no such record');
    const { status, body, headers } = isAnswer(said) ? said : answer(200, said);
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** `METHOD path` of a request, without the query. */
export function routeOf(request: RecordedRequest): string {
  return `${request.method} ${request.url.split('?')[0] ?? ''}`;
}

function isAnswer(value: unknown): value is ReturnType<typeof answer> {
  return typeof value === 'object' && value !== null && 'isAnswer' in value;
}

/** What one run of gwctl gave. */
export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs gwctl, built from its source, as a real process. `HOME` is inherited unless `env` has one. */
export async function runGwctl(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Run> {
  const child = await startProcess({ args: [...gwctlArgs, ...args], ...options });
  const { code } = await child.exited;
  return { exitCode: code, stdout: child.stdout(), stderr: child.stderr() };
}

/** A folder with a configuration file of its own, in which gwctl runs as a real process. */
export async function gwctlHome() {
  const folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  const env = { GWCTL_CONFIG: config };
  const runWithInput = (input: string, ...args: string[]): Promise<Run> =>
    runGwctl(args, { cwd: folder.path, input, env });
  const runWith = (more: Readonly<Record<string, string>>, ...args: string[]): Promise<Run> =>
    runGwctl(args, { cwd: folder.path, env: { ...env, ...more } });
  const run = (...args: string[]): Promise<Run> => runWith({}, ...args);
  const write = (contexts: unknown): void => writeFileSync(config, JSON.stringify(contexts), { mode: 0o600 });
  const stored = (): { current: string | null; contexts: Record<string, Record<string, unknown>> } & object =>
    JSON.parse(readFileSync(config, 'utf8'));
  const dispose = () => folder[Symbol.asyncDispose]();
  return { path: folder.path, config, run, runWith, runWithInput, write, stored, [Symbol.asyncDispose]: dispose };
}
