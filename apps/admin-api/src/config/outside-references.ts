import type { BundleProblem } from '@portcullis/bundle-diff';
import { bundleFamilies } from '@portcullis/resources';
import type { Executor } from '../database/database.ts';
import { isValues } from '../resources/values.ts';
import type { ResourceStore } from '../store/resource-store.ts';

/** Reference fields of bundled records that lead to families which bundles do not hold, such as a gateway's `workspace_id`. */
const outside = bundleFamilies.flatMap(({ bundle, references }) =>
  references
    .filter(({ family, many }) => !many && bundleFamilies.every(({ name }) => name !== family))
    .map(({ field, family }) => ({ key: bundle.key, field, family })),
);

/** One such reference of a document. */
interface OutsideReference {
  readonly key: string;
  readonly index: number;
  readonly field: string;
  readonly family: string;
  readonly targetId: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * References of a document to live records that no bundle holds and that are not there: what the write would be refused for
 * is said when it is planned.
 */
export async function missingOutside(
  store: Pick<ResourceStore, 'getMany'>,
  executor: Executor,
  tenantId: string,
  document: unknown,
): Promise<readonly BundleProblem[]> {
  const references = referencesOf(document);
  const problems: BundleProblem[] = [];
  for (const [family, ofFamily] of Map.groupBy(references, (one) => one.family)) {
    const ids = [...new Set(ofFamily.map(({ targetId }) => targetId))];
    const found = new Set((await store.getMany(executor, tenantId, family, ids)).map(({ id }) => id));
    problems.push(...ofFamily.filter(({ targetId }) => !found.has(targetId)).map(problemOf));
  }
  return problems;
}

function referencesOf(document: unknown): OutsideReference[] {
  if (!isValues(document)) return [];
  return outside.flatMap(({ key, field, family }) => {
    const records: unknown = document[key];
    if (!Array.isArray(records)) return [];
    return records.flatMap((record: unknown, index) => {
      const targetId = isValues(record) ? record[field] : undefined;
      return isValues(record) && typeof targetId === 'string' ? [{ key, index, field, family, targetId, record }] : [];
    });
  });
}

function problemOf({ key, index, field, family, record }: OutsideReference): BundleProblem {
  const text = (name: string): string | null => (typeof record[name] === 'string' ? record[name] : null);
  return {
    resource_type: key,
    index,
    id: text('id'),
    name: text('name'),
    pointer: `/${key}/${index}/${field}`,
    code: 'reference_not_found',
    message: `no such record in ${family}`,
  };
}
