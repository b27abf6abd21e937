import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { CallerPlaces } from '../http/caller-places.ts';
import type { FieldProblem } from '../http/problem.ts';
import { Problem } from '../http/problem.ts';
import type { FromSchemaThread, SchemaTask } from './schema-task.ts';

/** Threads at once; a tenant has one of them at the most. */
const threadsMax = 2;
const waitingMax = 64;
/** Tasks of one tenant that wait beside the one that runs: enough for a script that applies twenty records at once. */
export const waitingPerTenantMax = 24;
/** How long one task may take. What is allowed takes some ten milliseconds, and a second to compile at the worst. */
const taskTimeoutMs = 2_000;
/** How long a thread may take to begin. */
const startTimeoutMs = 30_000;
const heapMegabytesMax = 256;

/** How the threads are run. */
export interface SchemaThreadOptions {
  readonly timeLimitMs?: number;
  /** The threads' file. Default: the one that comes with this module. */
  readonly workerUrl?: URL;
}

/**
 * Threads in which tenants' schemas are compiled and run, so that nobody else waits for them. One that takes too long is
 * ended, whatever it does. Threads are kept for the next task, and keep no process alive.
 */
export class SchemaThreads {
  readonly #timeLimitMs: number;
  readonly #workerUrl: URL;
  readonly #idle: Worker[] = [];
  readonly #places = new CallerPlaces({
    runningMax: threadsMax,
    waitingMax,
    waitingPerCallerMax: waitingPerTenantMax,
    refusal: tooMany,
  });

  constructor(options: SchemaThreadOptions = {}) {
    this.#timeLimitMs = options.timeLimitMs ?? taskTimeoutMs;
    this.#workerUrl = options.workerUrl ?? standardWorkerUrl();
  }

  /**
   * Does a task of a tenant.
   * @returns what is wrong, with pointers into the schema or the config
   * @throws Problem `validation_failed` with the mistake `schema_too_costly` when it takes too long; `rate_limited` when the
   * tenant has too many waiting; `unavailable` when all have, or a thread breaks
   */
  async run(tenantId: string, task: SchemaTask): Promise<readonly FieldProblem[]> {
    return this.#places.run(tenantId, async () => this.#runIn(this.#idle.pop() ?? (await this.#start()), task));
  }

  /** Ends all threads that do nothing. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  async #runIn(worker: Worker, task: SchemaTask): Promise<readonly FieldProblem[]> {
    const limit = AbortSignal.timeout(this.#timeLimitMs);
    try {
      worker.ref();
      worker.postMessage(task);
      const message = await nextMessage(worker, limit);
      if (message.kind !== 'done') throw new TypeError('a schema thread began twice');
      worker.unref();
      this.#idle.push(worker);
      return message.problems;
    } catch (error) {
      await worker.terminate();
      if (limit.aborted) throw tooCostly(task);
      throw unavailable(error);
    }
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(this.#workerUrl, {
      name: 'schema',
      execArgv,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    // One that breaks while it has no task must take nobody along; one with a task is listened to by that.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const place = this.#idle.indexOf(worker);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    try {
      await nextMessage(worker, AbortSignal.timeout(startTimeoutMs));
      return worker;
    } catch (error) {
      await worker.terminate();
      throw unavailable(error);
    }
  }
}

/** @throws Error when the thread breaks or ends, or the limit passes */
async function nextMessage(worker: Worker, limit: AbortSignal): Promise<FromSchemaThread> {
  const settled = new AbortController();
  const signal = AbortSignal.any([limit, settled.signal]);
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new Error('a schema thread ended');
  });
  // Whichever comes first: the other one is given up below.
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [FromSchemaThread];
    return message;
  } finally {
    settled.abort();
  }
}

function tooMany(which: 'of_caller' | 'in_all'): Problem {
  const headers = { 'retry-after': '2' };
  return which === 'of_caller'
    ? new Problem('rate_limited', 'Too many checks by config schemas of this tenant at once', { headers })
    : new Problem('unavailable', 'Too many checks by config schemas at once', { headers });
}

function tooCostly(task: SchemaTask): Problem {
  const pointer = task.kind === 'schema' ? '/config_schema' : '/config';
  const message = task.kind === 'schema' ? 'takes too long to compile' : 'takes too long to check by its config_schema';
  return new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer, code: 'schema_too_costly', message }],
  });
}

function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The check by a config schema broke', { headers: { 'retry-after': '2' }, cause });
}

/** From source, the thread must find our other packages' sources too; nothing else of this process's arguments concerns it. */
const execArgv = import.meta.url.endsWith('.ts') ? ['--conditions=@portcullis/source'] : [];

/** The threads' file: TypeScript beside this one, or the bundle's file of the same name. */
function standardWorkerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./schema-worker.entry.ts', import.meta.url)
    : new URL('./schema-worker.js', import.meta.url);
}
