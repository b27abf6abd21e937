import type { IncomingMessage, ServerResponse } from 'node:http';
import { startUpstream, type Upstream } from '@portcullis/testkit';
import type { VaultOutbound } from '../drivers/hashicorp.ts';

/** The token that the server takes. */
export const token = 'hvs.test-token-0123456789';

/** A server that answers as HashiCorp Vault does: KV version 1 at `kv`, version 2 at `secret`, and in the namespace `team` another one. */
export async function startVaultServer(): Promise<VaultServer> {
  const state: VaultServer['state'] = { secrets: new Map(), fault: undefined };
  const upstream = await startUpstream((request, response) => {
    if (state.fault === undefined) answer(state.secrets, request, response);
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
    /** Answers in place of the usual. */
    fault: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  };
}

/** A way out over real connections. `waitMs` takes the place of the time that the driver gives. */
export function realOutbound(waitMs = 10_000): VaultOutbound {
  const failure = (code: string): Error => Object.assign(new Error('the call failed'), { code });
  return {
    async request({ url, headers, responseBytesMax }) {
      const pairs = headers.flatMap((name, at) =>
        at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
      );
      const signal = AbortSignal.timeout(waitMs);
      try {
        const response = await fetch(url, { headers: pairs, redirect: 'manual', signal });
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
  secrets: VaultServer['state']['secrets'],
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const say = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (headers['x-vault-token'] !== token || headers['x-vault-request'] !== 'true') {
    say(403, { errors: ['permission denied'] });
    return;
  }
  const namespace = headers['x-vault-namespace'];
  const [, engine = '', path = ''] = /^\/v1\/(secret|kv)\/(.+)$/.exec(url) ?? [];
  const name = engine === 'secret' ? path.replace(/^data\//, '') : path;
  const key = `${namespace === undefined ? '' : `${String(namespace)}:`}${engine}/${name}`;
  const data = secrets.get(key);
  if (data === undefined || (engine === 'secret' && !path.startsWith('data/'))) say(404, { errors: [] });
  else if (engine === 'kv') say(200, { lease_duration: 2_764_800, data });
  else say(200, { data: { data, metadata: { version: 1, destroyed: false } } });
}
