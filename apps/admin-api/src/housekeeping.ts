import type { Log } from './logging.ts';

/** Work that is done from time to time, off the request path. */
export interface HousekeepingTask {
  readonly name: string;
  readonly everyMs: number;
  /** Safe to call again when it failed. */
  readonly run: () => Promise<unknown>;
  /** Whether it is done once more before the service stops. */
  readonly atStop?: boolean;
}

/**
 * Runs each task in its rhythm. A task that is still running is not started a second time; one that fails is logged and
 * tried again at its next turn.
 * @returns what stops them, after the last runs that `atStop` asks for
 */
export function startHousekeeping(tasks: readonly HousekeepingTask[], log: Log): () => Promise<void> {
  const attempt = (task: HousekeepingTask): Promise<unknown> =>
    task.run().catch((error: unknown) => log.warn({ err: error, task: task.name }, 'housekeeping failed'));
  const stops = tasks.map((task) => {
    let running: Promise<unknown> | undefined;
    const timer = setInterval(() => {
      running ??= attempt(task).finally(() => {
        running = undefined;
      });
    }, task.everyMs);
    return async (): Promise<void> => {
      clearInterval(timer);
      await running;
      if (task.atStop === true) await attempt(task);
    };
  });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
