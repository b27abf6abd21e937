import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { system } from '../adapters/system.ts';
import { controlPlaneClient } from '../control-plane/create-client.ts';
import type { Settings } from '../settings.ts';
import { listenStatus } from '../status/status-server.ts';
import { ControlPlaneRelay } from './control-plane-relay.ts';
import { EndedCounts } from './ended-counts.ts';
import { nodeStatus } from './node-status.ts';
import { pingIntervalMs, WorkerCrew, type WorkerHandle } from './worker-crew.ts';
import type { FromWorker, ProxyPorts, ToWorker } from './worker-messages.ts';

/** How long workers may take to hand over what they know once their time to drain is over. */
const lastStepsMs = 10_000;

/** Says to a forked process which worker it is. */
export const slotVariable = 'PORTCULLIS_WORKER_SLOT';

/** A node of several workers. */
export interface RunningNode extends ProxyPorts {
  readonly statusPort: number;
  reopenLogs(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts as many workers as the settings say and resolves when all of them listen. The first process carries no traffic: it
 * holds the port, talks with the control plane and shows what the workers are.
 * @throws Error with a sentence for the operator when a worker cannot start; the system's error for the status port
 */
export async function runNode(settings: Settings, logger: Logger): Promise<RunningNode> {
  cluster.setupPrimary({ serialization: 'advanced' });
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const { client, reports } = controlPlaneClient(settings, logger);
  const relay = new ControlPlaneRelay(client, system);
  const ended = new EndedCounts();
  let isStopping = false;
  const listening = new Set<number>();
  let onAll: (ports: ProxyPorts) => void = () => undefined;
  let onFailed: (error: Error) => void = () => undefined;
  const crew = new WorkerCrew({
    workers: settings.workers,
    start: (slot) => forkWorker(slot),
    monotonicMs: system.monotonicMs,
    onMessage: (slot, message, send) => {
      if (message.kind === 'call') relay.call(slot, message, send);
      else if (message.kind === 'cancel') relay.cancel(slot, message.id);
    },
    onCrew: (slots) => relay.setWorkers(slots),
    onEnded: (slot) => ended.end(slot),
    onListening: (slot, ports) => {
      listening.add(slot);
      if (listening.size === settings.workers) onAll(ports);
    },
    onCrash: (worker, how, pauseMs) =>
      logger.error({ worker, how, restart_ms: pauseMs }, 'a worker ended and is started again'),
    onLate: (workers) => logger.error({ workers }, 'workers that did not stop in time are killed'),
    onFailed: (sentence) => onFailed(new Error(sentence)),
  });
  const stopLimitMs = settings.stopDelayMs + settings.drainMs + lastStepsMs;
  const status = await listenStatus(settings.statusHost, settings.statusPort, (method, target) =>
    nodeStatus({ crew, ended, reports, isStopping: () => isStopping }, method, target),
  );
  try {
    const ports = await new Promise<ProxyPorts>((resolve, reject) => {
      onAll = resolve;
      onFailed = reject;
      crew.start();
    });
    // From now on a worker that cannot start is tried again like one that ended.
    onFailed = ({ message }) => logger.error({ reason: message }, 'a worker could not start');
    const pings = setInterval(() => crew.tick(), pingIntervalMs);
    return {
      ...ports,
      statusPort: status.port,
      reopenLogs: async () => crew.tell({ kind: 'reopen' }),
      stop: async () => {
        isStopping = true;
        await crew.stop(stopLimitMs);
        clearInterval(pings);
        status.close();
        await relay.close();
        logger.info('stopped');
      },
    };
  } catch (error) {
    const ended = crew.stop(stopLimitMs);
    crew.kill();
    await ended;
    status.close();
    await relay.close();
    throw error;
  }
}

function forkWorker(slot: number): WorkerHandle {
  const worker = cluster.fork({ [slotVariable]: `${slot}` });
  return {
    send: (message: ToWorker) => {
      if (worker.isConnected()) worker.send(message, () => undefined);
    },
    onMessage: (take) => worker.on('message', (message: FromWorker) => take(message)),
    onExit: (told) => worker.once('exit', (code, signal) => told(signal ?? `exit code ${code}`)),
    kill: () => worker.process.kill('SIGKILL'),
  };
}
