import { prefersYaml } from '../http/answer.ts';
import { CallerPlaces } from '../http/caller-places.ts';
import type { Executor } from '../database/database.ts';
import type { Operation, OperationInput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantRequired } from '../identity/tenant-scope.ts';
import { tenantOf } from './config-request.ts';
import type { ConfigParts } from './config-request.ts';
import { ExportBudget } from './export-memory.ts';
import { spoolExport } from './export-spool.ts';
import type { ExportedRecords } from './export-spool.ts';
import { exportStream } from './export-stream.ts';
import { jsonPieces, yamlPieces } from './export-text.ts';

/** Exports that read the database at once, one of a tenant; the others wait for their turn. */
const places = { runningMax: 2, waitingMax: 32, waitingPerCallerMax: 4 };
const retryAfterSeconds = 5;

/** Says what an export shows, in the state of the database that it is read from. @throws Problem when there is no such thing */
export type ExportSource = (executor: Executor, tenantId: string, input: OperationInput) => Promise<ExportedRecords>;

/** Makes handlers of exports; all of them share their bounds. */
export function createExports(parts: ConfigParts): (source: ExportSource) => Operation['handler'] {
  const budget = new ExportBudget();
  const turns = new CallerPlaces({ ...places, refusal: refused });
  return (source) => async (input) => {
    // Which configuration leaves is said, never guessed. Source: spec, Authentication, 5
    if (input.query['tenant_id'] === undefined) throw tenantRequired();
    const tenantId = await tenantOf(parts, input, false);
    const memory = budget.open(tenantId);
    try {
      const ids = input.query['ids'] !== false;
      const spool = await turns.run(tenantId, () =>
        parts.database.snapshot(async (executor) => {
          const store = await source(executor, tenantId, input);
          return spoolExport({ store, executor, memory }, tenantId, { ids });
        }),
      );
      const format = input.query['format'];
      const asYaml = prefersYaml(typeof format === 'string' ? format : null, input.request.header('accept'));
      const texts = (asYaml ? yamlPieces : jsonPieces)(spool, ({ text, order }) =>
        memory.give(text.length + order.length),
      );
      return {
        status: 200,
        headers: { 'content-type': asYaml ? 'application/yaml' : 'application/json' },
        stream: exportStream(texts, { onEnd: () => memory.giveAll() }),
      };
    } catch (error) {
      memory.giveAll();
      throw error;
    }
  };
}

function refused(tooMany: 'of_caller' | 'in_all'): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return tooMany === 'of_caller'
    ? new Problem('rate_limited', 'Too many exports of this tenant at once', { headers })
    : new Problem('unavailable', 'Too many exports at once', { headers });
}
