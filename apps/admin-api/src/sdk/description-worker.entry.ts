import { parentPort, workerData } from 'node:worker_threads';
import { type DescriptionTask, type FromDescriptionThread, loadedTask } from './description-task.ts';

/** The thread that works with descriptions, one after the other. Whoever started it ends it. */
async function main(): Promise<void> {
  const run = await loadedTask(workerData as DescriptionTask['kind']);
  const post = (message: FromDescriptionThread): void => parentPort?.postMessage(message);
  // A rejection ends the thread, which whoever waits for it is told.
  parentPort?.on('message', (task) => void run(task as never).then((result) => post({ kind: 'done', result })));
  post({ kind: 'ready' });
}

await main();
