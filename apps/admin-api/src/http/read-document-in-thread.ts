import { setImmediate as otherWork } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CallerPlaces } from './caller-places.ts';
import { DocumentAssembly } from './document-pieces.ts';
import type { FromReader } from './document-reader.ts';
import { Problem } from './problem.ts';
import { type DocumentJob, type DocumentResult, readDocument } from './read-document.ts';

/** Longer bodies are read in a thread of their own, so that nobody else waits for them. About 10 ms of work. */
const inlineBytesMax = { json: 524_288, yaml: 65_536 } as const;
/** Threads at once. Each may hold a document of 64 MiB many times over. */
const threadsMax = 2;
const waitingMax = 16;
const waitingPerCallerMax = 4;
/** A document whose reading takes longer is refused. */
const readTimeoutMs = 60_000;
const heapMegabytesMax = 2_048;

const places = new CallerPlaces({
  runningMax: threadsMax,
  waitingMax,
  waitingPerCallerMax,
  refusal: () => new Problem('unavailable', 'Too many documents at once', { headers: { 'retry-after': '10' } }),
});

/**
 * {@link readDocument} that keeps large bodies off the main thread.
 * @param caller who sent it: one caller has one thread at a time
 * @throws Problem `unavailable` when too many wait
 */
export async function readDocumentAside(job: DocumentJob, caller: string): Promise<DocumentResult> {
  if (job.bytes.length <= inlineBytesMax[job.syntax]) return readDocument(job);
  return places.run(caller, () => readInThread(job));
}

async function readInThread(job: DocumentJob): Promise<DocumentResult> {
  const worker = new Worker(workerUrl(), {
    workerData: job,
    // Small buffers share their memory with others and are copied.
    transferList: job.bytes.buffer.byteLength === job.bytes.byteLength ? [job.bytes.buffer as ArrayBuffer] : [],
    name: 'document',
    execArgv,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DocumentResult>((resolve, reject) => {
      timer = setTimeout(() => reject(tooMuch()), readTimeoutMs);
      const assembly = new DocumentAssembly();
      worker.on('message', (message: FromReader) => {
        if (message.kind === 'piece') {
          assembly.add(message.piece);
          // The next piece is sent when it is asked for; whoever waits has a turn before that.
          void otherWork().then(() => worker.postMessage('next'));
        } else resolve(message.result.ok ? { ...message.result, document: assembly.document() } : message.result);
      });
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
  return new Problem('malformed_body', 'The body takes too much work to parse');
}

/** From source, the thread must find our other packages' sources too; nothing else of this process's arguments concerns it. */
const execArgv = import.meta.url.endsWith('.ts') ? ['--conditions=@portcullis/source'] : [];

/** The thread's file: TypeScript beside the source folders, or the bundle's file of the same name. */
function workerUrl(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../document-worker.entry.ts', import.meta.url)
    : new URL('./document-worker.js', import.meta.url);
}
