import type { ServerResponse } from 'node:http';
import { createEgress } from '@portcullis/egress';
import type { Outbound } from '@portcullis/plugin-runtime';
import { startUpstream, type Upstream } from '@portcullis/testkit';

/** An issuer's server of keys on a real socket. */
export interface KeyServer extends AsyncDisposable {
  readonly url: string;
  /** Requests that arrived. */
  readonly requests: Upstream['requests'];
  /** Connections that were accepted. */
  readonly connections: () => number;
  /** The keys from now on. */
  publish(...jwks: readonly unknown[]): void;
  /** From now on each request is answered like this, instead of with the keys; `undefined` goes back to the keys. */
  answerWith(answer: ((res: ServerResponse) => void) | undefined): void;
  close(): Promise<void>;
}

/** Starts a {@link KeyServer} with these keys. */
export async function startKeyServer(...jwks: readonly unknown[]): Promise<KeyServer> {
  let keys = jwks;
  let other: ((res: ServerResponse) => void) | undefined;
  const server = await startUpstream((_req, res) => {
    if (other !== undefined) return other(res);
    res.writeHead(200, { 'content-type': 'application/jwk-set+json' });
    res.end(JSON.stringify({ keys }));
  });
  return {
    url: `${server.url}/jwks.json`,
    requests: server.requests,
    connections: server.connections,
    publish: (...published) => (keys = published),
    answerWith: (answer) => (other = answer),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The gateway's own way out, for which the test's servers are allowed. */
export const localOutbound: Outbound = createEgress({ allowed: [{ address: '127.0.0.1' }] });
