import { Worker } from 'node:worker_threads';
import type { ParsedDocument } from './parsed-document.ts';
import { Problem } from './problem.ts';
import { parseStrictYaml } from './strict-yaml.ts';

/** Longer documents are parsed in a thread of their own, so that nobody else waits for them. About 20 ms of work. */
const inlineLengthMax = 65_536;
/** Threads at once. Each may hold a document of 64 MiB many times over. */
const threadsMax = 2;
const waitingMax = 16;
/** A document whose parsing takes longer is refused. */
const parseTimeoutMs = 60_000;
const heapMegabytesMax = 2_048;

let running = 0;
const waiting: (() => void)[] = [];

/** {@link parseStrictYaml} that keeps large documents off the main thread. @throws Problem `unavailable` when too many wait */
export async function parseYaml(text: string): Promise<ParsedDocument> {
  if (text.length <= inlineLengthMax) return parseStrictYaml(text);
  if (running >= threadsMax) {
    if (waiting.length >= waitingMax) throw new Problem('unavailable', 'Too many documents at once');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await parseInThread(text);
  } finally {
    const next = waiting.shift();
    // The place is handed on.
    if (next) next();
    else running -= 1;
  }
}

async function parseInThread(text: string): Promise<ParsedDocument> {
  const limits = { maxOldGenerationSizeMb: heapMegabytesMax };
  const worker = new Worker(workerUrl(), { workerData: text, name: 'yaml', execArgv, resourceLimits: limits });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ParsedDocument>((resolve, reject) => {
      timer = setTimeout(() => reject(tooMuch()), parseTimeoutMs);
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch() : error),
      );
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function tooMuch(): Problem {
  return new Problem('malformed_body', 'The body takes too much work to parse as YAML');
}

/** From source, the thread must find our other packages' sources too; nothing else of this process's arguments concerns it. */
const execArgv = import.meta.url.endsWith('.ts') ? ['--conditions=@portcullis/source'] : [];

/** The thread's file: TypeScript beside the source folders, or the bundle's file of the same name. */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../yaml-worker.entry.ts', import.meta.url)
    : new URL('./yaml-worker.js', import.meta.url);
}
