/** Answers with an error that are shown as they are. */
const shownMax = 3;

/** What a load saw: how many answers of each status, and what failed without an answer. */
export interface LoadResult {
  readonly statuses: ReadonlyMap<number, number>;
  /** What went wrong: requests without an answer, and the first answers with an error. */
  readonly failures: readonly string[];
  readonly total: number;
}

/** Requests that run until they are stopped. */
export interface RunningLoad {
  /** Requests answered so far. */
  readonly answered: () => number;
  stop(): Promise<LoadResult>;
}

/** Sends requests one after the other on each of some connections until stopped. */
export function startLoad(
  url: string,
  options: { readonly connections: number; readonly headers?: Readonly<Record<string, string>> },
): RunningLoad {
  const statuses = new Map<number, number>();
  const failures: string[] = [];
  const errors: string[] = [];
  const stopping = new AbortController();
  let answered = 0;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const response = await fetch(url, { headers: { ...options.headers } });
        const body = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        answered += 1;
        if (response.status >= 500 && errors.length < shownMax) errors.push(`${response.status} ${body}`);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const running = Promise.all(Array.from({ length: options.connections }, run));
  return {
    answered: () => answered,
    async stop() {
      stopping.abort();
      await running;
      return { statuses, failures: [...failures, ...errors], total: answered + failures.length };
    },
  };
}
