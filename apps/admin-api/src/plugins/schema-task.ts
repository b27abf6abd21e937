import type { FieldProblem } from '../http/problem.ts';
import type { Values } from '../resources/values.ts';
import { configIssues, schemaProblems } from './custom-package.ts';

/** Work by a tenant's own schema: whether it may be used, or what is wrong with a config by it. */
export type SchemaTask =
  | { readonly kind: 'schema'; readonly schema: Values }
  | { readonly kind: 'config'; readonly schema: Values; readonly config: unknown };

/** What the thread says: that it listens, and what was wrong. */
export type FromSchemaThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly problems: readonly FieldProblem[] };

/** Does a task. May take long: only for threads that somebody ends. Pure. */
export function runSchemaTask(task: SchemaTask): readonly FieldProblem[] {
  return task.kind === 'schema' ? schemaProblems(task.schema) : configIssues(task.schema, task.config);
}
