import { createHash } from 'node:crypto';
import type { FieldProblem } from '../http/problem.ts';
import type { AsideWork } from '../resources/aside-work.ts';
import type { Values } from '../resources/values.ts';
import { configSizeIssues } from './custom-package.ts';
import type { ConfigCheck } from './custom-package.ts';
import type { SchemaTask } from './schema-task.ts';
import type { SchemaThreads } from './schema-threads.ts';
import { schemaSizeProblems } from './schema-structure.ts';

/** What does tasks of tenants. */
export type SchemaTasks = Pick<SchemaThreads, 'run'>;

/**
 * The check of configs inside a write: in a thread beside it, and found here once that is done. The result goes by the schema
 * and the config themselves, so a package that was replaced meanwhile asks for another one.
 */
export function configCheckAside(tasks: SchemaTasks, tenantId: string, aside: AsideWork): ConfigCheck {
  return ({ configSchema }, config) => {
    const tooMuch = configSizeIssues(configSchema, config);
    return tooMuch.length > 0
      ? tooMuch
      : resultAside(tasks, tenantId, aside, { kind: 'config', schema: configSchema, config });
  };
}

/** The check of a package's schema inside a write, likewise. */
export function schemaCheckAside(
  tasks: SchemaTasks,
  tenantId: string,
  aside: AsideWork,
): (schema: Values) => readonly FieldProblem[] {
  return (schema) => {
    const tooMuch = schemaSizeProblems(schema);
    return tooMuch.length > 0 ? tooMuch : resultAside(tasks, tenantId, aside, { kind: 'schema', schema });
  };
}

/** Nothing wrong as long as it is not known: the write is made again then. */
function resultAside(
  tasks: SchemaTasks,
  tenantId: string,
  aside: AsideWork,
  task: SchemaTask,
): readonly FieldProblem[] {
  const key = createHash('sha256').update(JSON.stringify(task)).digest('base64');
  return aside.resultOf(key, () => tasks.run(tenantId, task)) ?? [];
}
