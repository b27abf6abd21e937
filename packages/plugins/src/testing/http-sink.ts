import type { ServerResponse } from 'node:http';
import { startUpstream, type Upstream } from '@portcullis/testkit';

/** An HTTP server that takes records. */
export interface HttpSink extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Calls that arrived. */
  readonly requests: Upstream['requests'];
  /** What calls brought, in order of arrival: objects of lists, of lines, and alone. */
  records(): readonly Record<string, unknown>[];
  /** From now on calls are answered like this. */
  answerWith(answer: (res: ServerResponse, call: number) => void): void;
  close(): Promise<void>;
}

/** Starts an {@link HttpSink} that answers 200. */
export async function startHttpSink(): Promise<HttpSink> {
  let answer = (res: ServerResponse, _call: number): void => void res.writeHead(200).end('ok');
  const server = await startUpstream((_req, res) => answer(res, server.requests.length));
  return {
    url: `${server.url}/in`,
    port: server.port,
    requests: server.requests,
    records: () => server.requests.flatMap(({ body }) => recordsIn(body.toString())),
    answerWith: (next) => (answer = next),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function recordsIn(body: string): readonly Record<string, unknown>[] {
  const lines = body.split('\n').filter((line) => line !== '');
  return lines.flatMap((line): readonly Record<string, unknown>[] => {
    const told = JSON.parse(line) as Record<string, unknown> | readonly Record<string, unknown>[];
    return isList(told) ? told : [told];
  });
}

function isList(
  told: Record<string, unknown> | readonly Record<string, unknown>[],
): told is readonly Record<string, unknown>[] {
  return Array.isArray(told);
}
