import { setImmediate as otherWork } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Problem } from '../http/problem.ts';
import type { BundlePlan, PlanJob } from './bundle-plan.ts';
import type { LivePage } from './live-state.ts';
import { PlanAssembly, messagesOf } from './plan-messages.ts';
import type { FromPlanner, ToPlanner } from './plan-messages.ts';
import { SpareThread } from './spare-thread.ts';

/** Masks that are made without a pause; each takes some microseconds. */
const masksPerTurn = 1000;
const heapMegabytesMax = 2048;
/** Of the process, like its threads that read documents. */
const spare = new SpareThread({ start: () => startThread(standardWorkerUrl()) });

/**
 * Gives a live state page after page, none before the thread took the one before.
 * @param take sends a page, and lets others have their turn
 */
export type LiveFeed = (take: (page: LivePage) => Promise<void>) => Promise<void>;

/** How a thread is run. */
export interface PlanThreadOptions {
  /** The mask of a secret of the tenant whose bundle it is. */
  readonly maskOf: (secret: string) => string;
  readonly timeLimitMs: number;
  /** Ends the thread, whatever it does. */
  readonly signal: AbortSignal;
  /** Gives live records beside those of the job. */
  readonly feed?: LiveFeed;
  /** The thread's file. Default: the one that comes with this module. */
  readonly workerUrl?: URL;
}

/**
 * Plans a bundle in a thread of its own. The thread lives for one job: what it held is gone with it, and one that hangs or
 * breaks takes nobody else along. After the first job there is always one that has loaded what it needs.
 * @throws Problem `unavailable` when it takes too long, needs too much memory, or breaks; and the reason of the signal
 */
export async function planInThread(job: PlanJob, options: PlanThreadOptions): Promise<BundlePlan> {
  options.signal.throwIfAborted();
  const worker = options.workerUrl ? startThread(options.workerUrl) : spare.take();
  const ending = new AbortController();
  const tooLong = `takes longer than ${options.timeLimitMs / 1000} seconds to plan; send it in parts`;
  const timer = setTimeout(() => ending.abort(unavailable(tooLong)), options.timeLimitMs);
  worker.once('error', (error: Error) => ending.abort(unavailable('could not be planned', error)));
  worker.once('exit', () => ending.abort(unavailable('could not be planned')));
  const leave = (): void => ending.abort(options.signal.reason);
  options.signal.addEventListener('abort', leave, { once: true });
  try {
    const plan = answerOf(worker, options, ending.signal);
    // It may be lost before anyone waits for it.
    plan.catch(() => undefined);
    await Promise.race([send(worker, job, options.feed, ending.signal), plan]);
    return await plan;
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', leave);
    await worker.terminate();
    // Whoever compares a bundle applies it next.
    if (!options.workerUrl) spare.prepare();
  }
}

function startThread(url: URL): Worker {
  const limits = { maxOldGenerationSizeMb: heapMegabytesMax };
  return new Worker(url, { name: 'bundle', execArgv: [], resourceLimits: limits });
}

async function send(worker: Worker, job: PlanJob, feed: LiveFeed | undefined, signal: AbortSignal): Promise<void> {
  const take = async (message: ToPlanner): Promise<void> => {
    signal.throwIfAborted();
    post(worker, message);
    await otherWork();
  };
  const messages = messagesOf(job);
  const first = messages.next();
  if (first.done !== true) await take(first.value);
  // What the first message begins takes the rest in any order: live records are read while the document is handed over.
  const rest = async (): Promise<void> => {
    for (const message of messages) await take(message);
  };
  await Promise.all([rest(), feed?.((page) => take({ kind: 'live', page }))]);
  await take({ kind: 'run' });
}

function answerOf(worker: Worker, options: PlanThreadOptions, signal: AbortSignal): Promise<BundlePlan> {
  return new Promise((resolve, reject) => {
    const assembly = new PlanAssembly();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.on('message', (message: FromPlanner) => {
      if (message.kind === 'slice') {
        assembly.add(message);
        post(worker, { kind: 'next' });
      } else if (message.kind === 'secrets') {
        masks(message.secrets, options.maskOf).then((made) => post(worker, { kind: 'masks', masks: made }), reject);
      } else resolve(assembly.plan(message.plan));
    });
  });
}

async function masks(secrets: readonly string[], maskOf: (secret: string) => string): Promise<string[]> {
  const made: string[] = [];
  for (const secret of secrets) {
    if (made.length % masksPerTurn === masksPerTurn - 1) await otherWork();
    made.push(maskOf(secret));
  }
  return made;
}

function post(worker: Worker, message: ToPlanner): void {
  worker.postMessage(message);
}

function unavailable(what: string, cause?: Error): Problem {
  return new Problem('unavailable', `The bundle ${what}`, { headers: { 'retry-after': '30' }, cause });
}

/** The thread's file: TypeScript beside this one, or the bundle's file of the same name. */
function standardWorkerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./bundle-worker.entry.ts', import.meta.url)
    : new URL('./bundle-worker.js', import.meta.url);
}
