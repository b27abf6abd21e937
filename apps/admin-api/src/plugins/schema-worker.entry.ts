import { parentPort } from 'node:worker_threads';
import { runSchemaTask } from './schema-task.ts';
import type { FromSchemaThread, SchemaTask } from './schema-task.ts';

/** The thread that compiles and runs tenants' schemas, one task after the other. Whoever started it ends it. */
function main(): void {
  const post = (message: FromSchemaThread): void => parentPort?.postMessage(message);
  parentPort?.on('message', (task: SchemaTask) => post({ kind: 'done', problems: runSchemaTask(task) }));
  post({ kind: 'ready' });
}

main();
