import { Pool } from 'undici';

/** What a load saw in one phase. */
export interface PhaseReport {
  readonly requests: number;
  /** Anything but status 200. */
  readonly failed: number;
  readonly latenciesMs: readonly number[];
}

/** A load that goes on while other things happen. */
export interface SteadyLoad extends AsyncDisposable {
  /** Begins a new phase. @returns what the phase that ends with it saw */
  turn(): PhaseReport;
}

/** Milliseconds between two requests of a connection: the load is to be steady, and leave the machine time for the change. */
const pauseMs = 2;

/** Sends requests for a path over some connections, with a pause between two of each, until it is disposed of. */
export function steadyLoad(port: number, path: string, connections: number): SteadyLoad {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
  let latenciesMs: number[] = [];
  let failed = 0;
  const end = new AbortController();
  const one = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const startMs = performance.now();
      try {
        const { statusCode, body } = await pool.request({ method: 'GET', path });
        await body.dump();
        if (statusCode !== 200) failed += 1;
      } catch {
        failed += 1;
      }
      latenciesMs.push(performance.now() - startMs);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const lanes = Array.from({ length: connections }, one);
  return {
    turn() {
      const report = { requests: latenciesMs.length, failed, latenciesMs };
      latenciesMs = [];
      failed = 0;
      return report;
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all(lanes);
      await pool.close();
    },
  };
}
