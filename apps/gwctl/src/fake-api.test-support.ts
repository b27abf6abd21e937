import { fileURLToPath } from 'node:url';
import { startProcess, startUpstream, temporaryFolder } from '@portcullis/testkit';
import type { RecordedRequest, Upstream } from '@portcullis/testkit';
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

/** A folder with a configuration file of its own, in which gwctl runs as a real process. */
export async function gwctlHome() {
  const folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  const runWithInput = async (input: string, ...args: string[]): Promise<Run> => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const child = await startProcess({
      args: ['--conditions=@portcullis/source', '--disable-warning=ExperimentalWarning', main, ...args],
      cwd: folder.path,
      input,
      env: { GWCTL_CONFIG: config },
    });
    const { code } = await child.exited;
    return { exitCode: code, stdout: child.stdout(), stderr: child.stderr() };
  };
  const run = (...args: string[]): Promise<Run> => runWithInput('', ...args);
  return { path: folder.path, config, run, runWithInput, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
