import { parentPort, workerData } from 'node:worker_threads';
import { messagesOfReader } from './http/document-reader.ts';
import type { DocumentJob } from './http/read-document.ts';

/** The thread that reads one large body: parsing takes about a second for 45 MB of JSON or 3 MB of YAML. */
function main(): void {
  const messages = messagesOfReader(workerData as DocumentJob);
  const sendNext = (): void => {
    const next = messages.next();
    if (next.done !== true) parentPort?.postMessage(next.value);
  };
  parentPort?.on('message', sendNext);
  sendNext();
}

main();
