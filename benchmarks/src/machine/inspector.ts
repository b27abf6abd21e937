import { setTimeout as delay } from 'node:timers/promises';

/** Memory of a Node process, in megabytes. */
export interface NodeMemory {
  /** Live objects: measured after a full collection. */
  readonly heapMegabytes: number;
  /** Memory of buffers outside the heap. */
  readonly externalMegabytes: number;
  readonly residentMegabytes: number;
}

const connectLimitMs = 20_000;
const answerLimitMs = 60_000;
const megabyte = 1024 * 1024;

/** The option that makes a Node process listen for {@link memoryAfterCollection}. */
export function inspectOption(port: number): string {
  return `--inspect=127.0.0.1:${port}`;
}

/**
 * Collects all garbage of a Node process and reads what is left.
 * @param port on which its inspector listens
 * @throws Error when the process does not answer
 */
export async function memoryAfterCollection(port: number): Promise<NodeMemory> {
  const socket = new WebSocket(await debuggerUrl(port));
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  socket.addEventListener('error', () => failure.reject(new Error(`the inspector on port ${port} broke off`)));
  const limit = setTimeout(() => failure.reject(new Error(`the inspector on port ${port} is silent`)), answerLimitMs);
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  let lastId = 0;
  const ask = (method: string, params: object = {}): Promise<unknown> => {
    const id = (lastId += 1);
    const answered = new Promise((resolve) => answers.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    return Promise.race([answered, failure.promise]);
  };
  try {
    const opened = new Promise((resolve) => socket.addEventListener('open', resolve));
    await Promise.race([opened, failure.promise]);
    // What one collection frees may hold more: finalisers run between two.
    for (let round = 0; round < 3; round += 1) await ask('HeapProfiler.collectGarbage');
    const answer = await ask('Runtime.evaluate', {
      expression: 'JSON.stringify(process.memoryUsage())',
      returnByValue: true,
    });
    const { value } = (answer as { result: { value: string } }).result;
    const usage = JSON.parse(value) as NodeJS.MemoryUsage;
    return {
      heapMegabytes: usage.heapUsed / megabyte,
      externalMegabytes: usage.external / megabyte,
      residentMegabytes: usage.rss / megabyte,
    };
  } finally {
    clearTimeout(limit);
    socket.close();
  }
}

async function debuggerUrl(port: number): Promise<string> {
  const deadlineMs = performance.now() + connectLimitMs;
  for (;;) {
    try {
      const list = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await list.json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > deadlineMs) throw error;
    }
    await delay(50);
  }
}
