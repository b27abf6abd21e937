import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CallerPlaces } from '../http/caller-places.ts';
import { Problem } from '../http/problem.ts';
import type { DescriptionTask, FromDescriptionThread, TaskResults } from './description-task.ts';

/** Tasks of one kind at once, and threads that wait for one; a tenant has one at the most. Each may hold a description of 16 MiB several times over. */
const runningMax = 2;
const waitingMax = 32;
const waitingPerTenantMax = 8;
/** How long one task may take: with the wait before it, less than the 30 seconds that the command line waits. */
const taskTimeoutMs = 20_000;
/** How long a thread may take to begin. */
const startTimeoutMs = 30_000;
const heapMegabytesMax = 1_024;
/** A thread that had a longer text than this is ended, so that its memory does not stay. In characters. */
const keptTextMax = 1_048_576;

/** How the threads are run. */
export interface DescriptionThreadOptions {
  readonly timeLimitMs?: number;
}

type Result = TaskResults[keyof TaskResults];

/**
 * Threads for work with whole descriptions, so that nobody else waits for it. One that takes too long is ended, whatever it does. Others are
 * kept for the next task, and keep no process alive.
 */
export class DescriptionThreads {
  readonly #timeLimitMs: number;
  readonly #idle: Readonly<Record<DescriptionTask['kind'], Worker[]>> = { check: [], generate: [] };
  readonly #places = { check: places('checks of descriptions'), generate: places('exports of SDKs') } as const;

  constructor({ timeLimitMs = taskTimeoutMs }: DescriptionThreadOptions = {}) {
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Does a task of a tenant.
   * @param taskOf reads what is to be done, once there is a place for it: who waits holds no description
   * @param signal gives it up
   * @throws Problem `rate_limited` when the tenant has too many waiting, `unavailable` when all have, `validation_failed` with the mistake
   *   `too_costly` when it takes too long or too much memory; the signal's reason
   */
  async run<Kind extends keyof TaskResults>(
    tenantId: string,
    kind: Kind,
    taskOf: () => Promise<Extract<DescriptionTask, { readonly kind: Kind }>>,
    signal?: AbortSignal,
  ): Promise<TaskResults[Kind]> {
    const work = async () => {
      const task = await taskOf();
      const worker = this.#idle[kind].pop() ?? (await this.#start(kind));
      return this.#runIn(worker, task, signal);
    };
    return (await this.#places[kind].run(tenantId, work, signal)) as TaskResults[Kind];
  }

  /** Ends all threads that do nothing. */
  async close(): Promise<void> {
    const idle = Object.values(this.#idle).flatMap((workers) => workers.splice(0));
    await Promise.all(idle.map((worker) => worker.terminate()));
  }

  async #runIn(worker: Worker, task: DescriptionTask, signal: AbortSignal | undefined): Promise<Result> {
    const limit = AbortSignal.timeout(this.#timeLimitMs);
    const idle = this.#idle[task.kind];
    try {
      worker.ref();
      worker.postMessage(task);
      const message = await nextMessage(worker, AbortSignal.any(signal ? [limit, signal] : [limit]));
      if (message.kind !== 'done') throw new TypeError('a description thread began twice');
      worker.unref();
      if (lengthOf(task) <= keptTextMax && idle.length < runningMax) idle.push(worker);
      else await worker.terminate();
      return message.result;
    } catch (error) {
      await worker.terminate();
      signal?.throwIfAborted();
      throw limit.aborted || isOutOfMemory(error) ? tooCostly() : error;
    }
  }

  async #start(kind: DescriptionTask['kind']): Promise<Worker> {
    const worker = new Worker(workerUrl(), {
      workerData: kind,
      name: `description-${kind}`,
      execArgv,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    // One that breaks while it has no task must take nobody along; one with a task is listened to by that.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const place = this.#idle[kind].indexOf(worker);
      if (place !== -1) this.#idle[kind].splice(place, 1);
    });
    try {
      await nextMessage(worker, AbortSignal.timeout(startTimeoutMs));
      return worker;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  }
}

/** @throws Error when the thread breaks or ends, or the limit passes */
async function nextMessage(worker: Worker, limit: AbortSignal): Promise<FromDescriptionThread> {
  const settled = new AbortController();
  const signal = AbortSignal.any([limit, settled.signal]);
  // An error of the thread rejects either.
  const ended = once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('a description thread ended')));
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [FromDescriptionThread];
    return message;
  } finally {
    settled.abort();
  }
}

function lengthOf(task: DescriptionTask): number {
  return task.kind === 'check' ? task.text.length : task.packed.length;
}

function places(what: string): CallerPlaces {
  const headers = { 'retry-after': '5' };
  return new CallerPlaces({
    runningMax,
    waitingMax,
    waitingPerCallerMax: waitingPerTenantMax,
    refusal: (which) =>
      which === 'of_caller'
        ? new Problem('rate_limited', `Too many ${what} of this tenant at once`, { headers })
        : new Problem('unavailable', `Too many ${what} at once`, { headers }),
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooCostly(): Problem {
  const message = 'takes too much work: make the description smaller, or split it';
  return new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer: '/spec', code: 'too_costly', message }],
  });
}

/** From source, the thread must find our other packages' sources too; nothing else of this process's arguments concerns it. */
const execArgv = import.meta.url.endsWith('.ts') ? ['--conditions=@portcullis/source'] : [];

/** The thread's file: TypeScript beside this one, or the bundle's file of the same name. */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./description-worker.entry.ts', import.meta.url)
    : new URL('./description-worker.js', import.meta.url);
}
