/** One gateway of npm as a process: `node npm-gateway.entry.js NAME MODE UPSTREAM_PORT`. Prints its port. */
import type { Mode } from '../peers/terms.ts';
import type { NpmGatewayName } from './npm-gateway-peers.ts';
import type { StartNpmGateway } from './npm-gateway.ts';

const gateways: Readonly<Record<NpmGatewayName, () => Promise<{ readonly start: StartNpmGateway }>>> = {
  'fast-gateway': () => import('./fast-gateway.ts'),
  '@fastify/http-proxy': () => import('./fastify-http-proxy.ts'),
  'http-proxy': () => import('./http-proxy.ts'),
  httpxy: () => import('./httpxy.ts'),
  'http-proxy-middleware': () => import('./http-proxy-middleware.ts'),
};

const [name, mode, upstreamPort] = process.argv.slice(2);
const { start } = await gateways[name as NpmGatewayName]();
const port = await start({ mode: mode as Mode, upstream: `http://127.0.0.1:${upstreamPort}` });
process.stdout.write(`${port}\n`);
process.once('SIGTERM', () => process.exit(0));
