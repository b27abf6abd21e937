import type { ServerResponse } from 'node:http';
import { startUpstream, type RecordedRequest, type Upstream } from '@portcullis/testkit';

/** An authorization server's introspection endpoint on a real socket. */
export interface IntrospectionServer extends AsyncDisposable {
  readonly url: string;
  /** What was asked, oldest first. */
  readonly requests: Upstream['requests'];
  /** What is said of a token; of all others that they are not active. */
  say(token: string, answer: object): void;
  /** From now on each request is answered like this; `undefined` goes back to what was said. */
  answerWith(answer: ((res: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

/** Starts an {@link IntrospectionServer} that knows no token. */
export async function startIntrospectionServer(): Promise<IntrospectionServer> {
  const said = new Map<string, object>();
  let other: ((res: ServerResponse) => void) | undefined;
  const server = await startUpstream((_req, res, request) => {
    if (other !== undefined) return other(res);
    answer(res, said.get(tokenOf(request)) ?? { active: false });
  });
  return {
    url: `${server.url}/introspect`,
    requests: server.requests,
    say: (token, claims) => void said.set(token, claims),
    answerWith: (next) => (other = next),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Answers with JSON. */
export function answer(res: ServerResponse, body: object, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

/** The token that a request asks about. */
export function tokenOf({ body }: RecordedRequest): string {
  return new URLSearchParams(body.toString()).get('token') ?? '';
}
