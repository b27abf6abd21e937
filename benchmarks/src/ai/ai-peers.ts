import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { portOf, startChild, type Child } from '../machine/child.ts';
import type { Pinning } from '../machine/pinning.ts';
import { builtEntry } from '../peers/built.ts';
import { policy, routesConfiguration } from '../peers/configuration.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { serverLimitMs } from '../peers/limits.ts';
import { listeningPeer } from '../peers/listening-peer.ts';
import { chatPath, models } from './ai-terms.ts';

/** A peer that answers chats, running. */
export interface RunningAiPeer extends AsyncDisposable {
  readonly process: Child;
  readonly port: number;
}

/** A way to start one AI gateway as a process of its own. */
export interface AiPeer {
  readonly name: string;
  readonly path: string;
  /** Sent with each request, beside `content-type`. */
  readonly headers: (providerPort: number) => Readonly<Record<string, string>>;
  /** What the client calls the model: the least that another one does is to put the provider's name in its place. */
  readonly model: string;
  start(providerPort: number, nodeOptions?: readonly string[]): Promise<RunningAiPeer>;
}

const portkeyEntry = join(
  dirname(createRequire(import.meta.url).resolve('@portkey-ai/gateway/package.json')),
  'build/start-server.js',
);

/** The least that Node costs, our gateway, and Portkey. @param gateway the built `main.js` of the gateway */
export function aiPeers(pinning: Pinning, gateway: string): readonly AiPeer[] {
  return [minimal(pinning), ours(pinning, gateway), ...(existsSync(portkeyEntry) ? [portkey(pinning)] : [])];
}

function minimal(pinning: Pinning): AiPeer {
  return {
    name: 'minimal',
    path: chatPath,
    headers: () => ({}),
    model: models.public,
    async start(providerPort) {
      const command = pinning.wrap('peer', [process.execPath, builtEntry('minimal-ai-proxy'), `${providerPort}`]);
      const child = startChild(command, {}, serverLimitMs);
      return { process: child, port: await portOf(child), [Symbol.asyncDispose]: () => child.stop() };
    },
  };
}

function ours(pinning: Pinning, entry: string): AiPeer {
  const loopback = { PORTCULLIS_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
  return {
    name: 'gateway',
    path: `/ai${chatPath}`,
    headers: () => ({}),
    model: models.public,
    start: (providerPort, nodeOptions) =>
      gatewayPeer('plain', pinning, entry, () => aiConfiguration(providerPort), loopback).start(
        providerPort,
        nodeOptions,
      ),
  };
}

/** One route that answers as an AI route, one provider, one model; nothing guarded, nothing limited. */
function aiConfiguration(providerPort: number) {
  const proxy = policy('ai_proxy', 'before_request', 0, {
    providers: [
      { name: 'bench', type: 'openai', base_url: `http://127.0.0.1:${providerPort}/v1`, api_key: 'bench-key' },
    ],
    model_routes: [{ model: models.public, targets: [{ provider: 'bench', model: models.upstream }] }],
  });
  const route = { id: 'rt-ai', name: 'ai', paths: ['/ai'], path_type: 'prefix' };
  return routesConfiguration('plain', providerPort, [route], [proxy]);
}

/** Portkey maps no models without a configuration of its own: its clients name the provider's. */
function portkey(pinning: Pinning): AiPeer {
  return {
    name: 'Portkey',
    path: chatPath,
    headers: (providerPort) => ({
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${providerPort}/v1`,
      authorization: 'Bearer bench-key',
    }),
    model: models.upstream,
    async start(providerPort) {
      const program = {
        name: 'Portkey',
        mode: 'plain' as const,
        environment: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
        configure: async ({ port }: { readonly port: number }) =>
          [process.execPath, portkeyEntry, `--port=${port}`, '--headless'] as const,
      };
      return await listeningPeer(program, pinning).start(providerPort);
    },
  };
}
