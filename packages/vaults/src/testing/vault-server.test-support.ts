import type { IncomingMessage, ServerResponse } from 'node:http';
import { startUpstream, type Upstream } from '@portcullis/testkit';
import type { VaultOutbound } from '../drivers/hashicorp.ts';

/** The token that the server takes. */
export const token = 'hvs.test-token-0123456789';

/** A server that answers as HashiCorp Vault does: KV version 1 at `kv`, version 2 at `secret`, and in the namespace `team` another one. */
export async function startVaultServer(): Promise<VaultServer> {
  const state: VaultServer['state'] = { secrets: new Map(), fault: undefined, renewals: 0, lease: undefined };
  const upstream = await startUpstream((request, response) => {
    if (state.fault === undefined) answer(state, request, response);
    else state.fault(request, response);
  });
  return { upstream, state, [Symbol.asyncDispose]: () => upstream.close() };
}

/** See {@link startVaultServer}. */
export interface VaultServer extends AsyncDisposable {
  readonly upstream: Upstream;
  readonly state: {
    /** By path with engine and namespace: `secret/db`, `kv/db`, `team:secret/db`. Null was deleted. */
    readonly secrets: Map<string, Readonly<Record<string, unknown>> | null>;
    /** Times that the token was renewed, or asked for it. */
    renewals: number;
    /** What the token gets when it is renewed; without it, it cannot be. */
    lease: { readonly seconds: number; readonly isRenewable: boolean } | undefined;
    /** Answers in place of the usual. */
    fault: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  };
}

/** A way out over real connections. `waitMs` takes the place of the time that the driver gives. */
export function realOutbound(waitMs = 10_000): VaultOutbound {
  const failure = (code: string): Error => Object.assign(new Error('the call failed'), { code });
  return {
    async request({ url, method = 'GET', headers, responseBytesMax }) {
      const pairs = headers.flatMap((name, at) =>
        at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
      );
      const signal = AbortSignal.timeout(waitMs);
      try {
        const response = await fetch(url, { method, headers: pairs, redirect: 'manual', signal });
        const body = await response.bytes();
        if (body.length > responseBytesMax) throw failure('too_large');
        return { status: response.status, body };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'too_large') throw error;
        throw failure(signal.aborted ? 'timeout' : 'unreachable');
      }
    },
  };
}

function answer(
  state: VaultServer['state'],
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const say = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (headers['x-vault-token'] !== token || headers['x-vault-request'] !== 'true') {
    say(403, { errors: ['permission denied'] });
    return;
  }
  if (method === 'POST' && url === '/v1/auth/token/renew-self') {
    state.renewals += 1;
    if (state.lease === undefined) say(400, { errors: ['lease is not renewable'] });
    else say(200, { auth: { lease_duration: state.lease.seconds, renewable: state.lease.isRenewable } });
    return;
  }
  const namespace = headers['x-vault-namespace'];
  const [, engine = '', path = ''] = /^\/v1\/(secret|kv)\/(.+)$/.exec(url) ?? [];
  const name = engine === 'secret' ? path.replace(/^data\//, '') : path;
  const key = `${namespace === undefined ? '' : `${String(namespace)}:`}${engine}/${name}`;
  const data = state.secrets.get(key);
  if (data === undefined || (engine === 'secret' && !path.startsWith('data/'))) say(404, { errors: [] });
  else if (engine === 'kv') say(200, { lease_duration: 2_764_800, data });
  else say(200, { data: { data, metadata: { version: 1, destroyed: false } } });
}
