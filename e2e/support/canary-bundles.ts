import { bundleFamilies } from '@portcullis/resources';
import { stringify } from 'yaml';
import type { AdminAnswer } from './admin.ts';
import { look } from './canary-exercises.ts';
import type { Exercise } from './canary-exercises.ts';
import type { SecretRecord } from './canary-records.ts';

type Bundle = Record<string, Readonly<Record<string, unknown>>[]>;

/** An export in which the masks are secrets again. */
export function withSecrets(exported: Bundle, records: readonly SecretRecord[]): Bundle {
  const known = new Map(records.map(({ id, body }) => [id, body]));
  const isList = new Set(bundleFamilies.map(({ bundle }) => bundle.key));
  return Object.fromEntries(
    Object.entries(exported).map(([key, items]) => [
      key,
      isList.has(key) ? items.map((item) => ({ ...item, ...known.get(String(item['id'])) })) : items,
    ]),
  );
}

/**
 * Exports, compares, imports and rolls back, with masks, with secrets, and with secrets in bundles that are refused.
 * @returns the bundle with secrets, as YAML, and the answers that were neither done nor refused as bad
 */
export async function useBundles(
  { admin, canaries }: Exercise,
  records: readonly SecretRecord[],
): Promise<{ readonly yaml: string; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  const ask = async (status: number, method: string, path: string, body?: unknown): Promise<AdminAnswer> => {
    const type = typeof body === 'string' && body.startsWith('tenant_id') ? 'application/yaml' : 'application/json';
    const answer = await admin.call(method, path, body, { 'content-type': type });
    look(canaries, `bundle ${method} ${path}`, answer);
    if (answer.status !== status)
      wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    return answer;
  };
  const { body: masked } = await ask(200, 'GET', '/config/export?format=json');
  await ask(200, 'GET', '/config/export?format=yaml');
  const bundle = withSecrets(masked, records);
  const yaml = stringify({ tenant_id: 'acme', ...bundle });
  const broken = { ...bundle, plugins: bundle['plugins']?.map((plugin) => ({ ...plugin, no_such_field: plugin })) };
  const { body: snapshot } = await ask(201, 'POST', '/config/snapshots', { note: 'before' });
  for (const one of [masked, bundle]) {
    await ask(200, 'POST', '/config/validate', one);
    await ask(200, 'POST', '/config/diff', one);
    await ask(200, 'POST', '/config/import?dry_run=true&overwrite=true', one);
    await ask(200, 'POST', '/config/import?overwrite=true&snapshot=true', one);
    await ask(200, 'POST', '/config/sync', one);
  }
  await ask(200, 'POST', '/config/diff?format=yaml', yaml);
  // What is wrong with a bundle is told in a result.
  for (const path of ['/config/diff', '/config/import', '/config/import?dry_run=true', '/config/sync']) {
    await ask(200, 'POST', path, broken);
    await ask(400, 'POST', path, JSON.stringify(bundle).slice(0, -9));
  }
  await ask(200, 'POST', `/config/snapshots/${snapshot.id}/rollback`, {});
  return { yaml, wrong };
}
