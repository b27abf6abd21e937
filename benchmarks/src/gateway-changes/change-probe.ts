import { Pool } from 'undici';

/** Asks a gateway again and again until a change shows. */
export interface ChangeProbe {
  /**
   * @param isGoverned whether a status is what the change makes of it
   * @returns the moment of the answer, on the monotonic clock in milliseconds
   * @throws Error when the change does not show in time
   */
  until(path: string, isGoverned: (status: number) => boolean): Promise<number>;
  close(): Promise<void>;
}

/** A change that takes longer than this is a failure of the run and no figure. */
const changeLimitMs = 30_000;

/** One connection of its own, each request as soon as the answer before is in. */
export function openProbe(port: number): ChangeProbe {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1, pipelining: 1 });
  return {
    async until(path, isGoverned) {
      const deadlineMs = performance.now() + changeLimitMs;
      while (performance.now() < deadlineMs) {
        const { statusCode, body } = await pool.request({ method: 'GET', path });
        const nowMs = performance.now();
        await body.dump();
        if (isGoverned(statusCode)) return nowMs;
      }
      throw new Error(`a change did not show on ${path} within ${changeLimitMs} ms`);
    },
    close: () => pool.close(),
  };
}
