import { connect, type Socket } from 'node:net';
import { eventually, temporaryFolder, type TemporaryFolder } from '@portcullis/testkit';
import { pino } from 'pino';
import { startGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import type { ListenerSettings } from '../proxy/listen-proxy.ts';
import { readSettings, type Settings } from '../settings.ts';
import { FakeControlPlane, testToken, type Resources } from './fake-control-plane.test-support.ts';

/** A gateway in this process with a control plane of its own. */
export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Where it takes TLS. */
  readonly tlsPort: number;
  readonly statusUrl: string;
  readonly controlPlane: FakeControlPlane;
  readonly folder: TemporaryFolder;
  /** Publishes resources and waits until the gateway has answered to them. */
  publish(resources: Resources): Promise<void>;
  stop(): Promise<void>;
}

/** Starts it; with resources it serves them when this resolves. */
export async function startTestGateway(
  resources?: Resources,
  env: Readonly<Record<string, string>> = {},
  times: ListenerSettings['times'] = {},
  options: GatewayOptions = {},
): Promise<TestGateway> {
  const controlPlane = new FakeControlPlane();
  const controlPlaneUrl = await controlPlane.listen();
  const folder = await temporaryFolder();
  if (resources !== undefined) controlPlane.publish(resources);
  // Clients here ask nothing more when they stop the gateway, so there is nothing to wait for.
  const listener: ListenerSettings['times'] = { idleGraceMs: 20, ...times };
  const settings = { ...settingsOf(controlPlaneUrl, folder, env), times: listener };
  const gateway = await startGateway(settings, pino({ level: 'silent' }), options);
  if (resources !== undefined) {
    const ack = await eventually(() => controlPlane.acks[0]);
    if (ack.status !== 'applied')
      throw new Error(`the gateway refused its configuration: ${JSON.stringify(ack.errors)}`);
  }
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= gateway.stop());
  return {
    ...urlsOf(gateway),
    port: gateway.proxyPort,
    tlsPort: gateway.proxyTlsPort,
    controlPlane,
    folder,
    publish: async (next) => {
      const revision = controlPlane.publish(next);
      await eventually(() => controlPlane.acks.some((ack) => ack.revision === revision));
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await controlPlane.close();
      await folder.remove();
    },
  };
}

/** Settings for a gateway on free ports. */
export function settingsOf(
  controlPlaneUrl: string,
  folder: TemporaryFolder,
  env: Readonly<Record<string, string>> = {},
): Settings {
  const outcome = readSettings({
    PORTCULLIS_CONTROL_PLANE_URL: controlPlaneUrl,
    PORTCULLIS_DATA_PLANE_TOKEN: testToken,
    PORTCULLIS_PROXY_PORT: '0',
    PORTCULLIS_PROXY_TLS_PORT: '0',
    PORTCULLIS_STATUS_PORT: '0',
    PORTCULLIS_CACHE_DIR: folder.join('cache'),
    // Machines of tests are late for reasons of their own; tests of overload ask for the rule.
    PORTCULLIS_OVERLOAD_DELAY_MS: '0',
    ...env,
  });
  if (!outcome.ok) throw new Error(outcome.mistakes.join(' '));
  return outcome.settings;
}

/** One service and one route that leads everything to it. */
export function everythingTo(
  url: string,
  route: Record<string, unknown> = {},
  service: Record<string, unknown> = {},
): Resources {
  return {
    services: [{ id: 'service-1', name: 'backend', url, ...service }],
    routes: [{ id: 'route-1', name: 'all', service_id: 'service-1', paths: ['/'], ...route }],
  };
}

/** A client's end of a connection, byte by byte. */
interface RawConnection {
  readonly socket: Socket;
  /** Settles once the connection has ended, however it ended: `once(socket, 'close')` would throw at a reset. */
  readonly closed: Promise<void>;
  /** What came in so far. */
  readonly text: () => string;
}

/** A connection to a port with what came in on it so far. */
export function openRaw(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined); // A reset is one of the ways in which the other side may end.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, closed, text: () => text };
}

/** Longest wait for the end of an exchange. Nothing ends by it on a machine that is only slow. */
const patienceMs = 12_000;

/**
 * Writes bytes to a port and gives what came back until the other side closed, or until it is all that the test waits for.
 * @throws Error with what came when neither happens
 */
export function exchangeRaw(
  port: number,
  text: string,
  isWhole: (raw: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let raw = '';
    const timer = setTimeout(() => {
      reject(new Error(`the connection did not end; it said: ${raw}`));
      socket.destroy();
    }, patienceMs);
    socket.on('data', (chunk) => {
      raw += chunk.toString('latin1');
      if (isWhole(raw)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(raw);
    });
  });
}

function urlsOf({ proxyPort, statusPort }: Gateway): { url: string; statusUrl: string } {
  return { url: `http://127.0.0.1:${proxyPort}`, statusUrl: `http://127.0.0.1:${statusPort}` };
}
