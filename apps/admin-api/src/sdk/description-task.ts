import type { CheckTask, DescriptionCheck } from './check-description.ts';
import type { GeneratedArchive, GenerationTask } from './generate-archive.ts';

/** Work with a whole description. */
export type DescriptionTask = CheckTask | GenerationTask;

/** What it gives. */
export interface TaskResults {
  readonly check: DescriptionCheck;
  readonly generate: GeneratedArchive;
}

/** What the thread says: that it listens, and what came of a task. */
export type FromDescriptionThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: TaskResults[keyof TaskResults] };

/**
 * What does tasks of a kind. Each may take long: only for threads that somebody ends. What the other kind needs is not loaded: it takes a
 * while.
 */
export async function loadedTask(
  kind: DescriptionTask['kind'],
): Promise<(task: never) => Promise<TaskResults[keyof TaskResults]>> {
  if (kind === 'check') return (await import('./check-description.ts')).checkDescription;
  const { generateArchive } = await import('./generate-archive.ts');
  return async (task) => generateArchive(task);
}
