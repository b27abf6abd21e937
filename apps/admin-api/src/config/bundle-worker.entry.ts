import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { uuidv7 } from 'uuidv7';
import type { BundlePlan } from './bundle-plan.ts';
import type { FromPlanner, JobAssembly, ToPlanner } from './plan-messages.ts';

// A thread started without arguments does not know the condition under which its process runs from source.
if (import.meta.url.endsWith('.ts')) {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: ['@portcullis/source', ...context.conditions] }),
  });
}
// Only now: static imports would be resolved before the line above.
const { planBundle } = await import('./bundle-plan.ts');
const messages = await import('./plan-messages.ts');

/** The thread that plans one bundle. It has no database and no keys, and ends with whatever goes wrong in it. */
function main(): void {
  const port = parentPort;
  if (port === null) throw new Error('this file runs as a worker thread');
  let assembly: JobAssembly | undefined;
  let takeMasks: ((masks: readonly string[]) => void) | undefined;
  let answers: Iterator<FromPlanner> | undefined;

  const post = (message: FromPlanner): void => port.postMessage(message);
  const masksOf = (secrets: readonly string[]): Promise<readonly string[]> =>
    new Promise((resolve) => {
      takeMasks = resolve;
      post({ kind: 'secrets', secrets });
    });
  const postNext = (): void => {
    const next = answers?.next();
    if (next?.done === false) post(next.value);
  };
  const begin = (plan: BundlePlan): void => {
    answers = messages.answersOf(plan);
    postNext();
  };
  const run = async (job: JobAssembly): Promise<void> => {
    begin(await planBundle({ ...job.job(), live: job.live() }, { newId: uuidv7, masksOf }));
  };
  port.on('message', (message: ToPlanner) => {
    if (message.kind === 'begin') assembly = new messages.JobAssembly(message.job);
    else if (message.kind === 'records') assembly?.add(message);
    else if (message.kind === 'masks') takeMasks?.(message.masks);
    else if (message.kind === 'next') postNext();
    else if (message.kind === 'live') assembly?.addPage(message.page);
    else if (assembly) void run(assembly);
  });
}

main();
