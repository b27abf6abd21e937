import type { Answer, Client } from '../control-plane/client.ts';
import type { Bundle, BundleDraw, BundleRecord } from './random-bundle.ts';

const config = '/api/v1/admin/config';

/** Two tenants that hold nothing yet. */
export interface EmptyTenants {
  readonly own: string;
  readonly other: string;
}

/**
 * What has to hold for any bundle.
 * @throws Error that says what does not
 */
export async function checkBundle(client: Client, { own, other }: EmptyTenants, draw: BundleDraw): Promise<void> {
  const { bundle, hasSecrets } = draw;
  const document = { tenant_id: own, ...bundle };
  const size = Object.values(bundle).reduce((sum, records) => sum + records.length, 0);

  const first = await applied(client, 'sync?dry_run=false&snapshot=false', document);
  expectSame('every record is created', first.counts.created, size);
  const second = await applied(client, 'sync?dry_run=false', document);
  expectSame('a sync given twice does nothing', [second.revision, second.counts.unchanged], [first.revision, size]);
  await expectInSync(client, 'records and families in another order', reversed(document));

  const whole = await exported(client, own, '');
  await expectInSync(client, 'an export', JSON.parse(whole));
  const named = await exported(client, own, '&ids=false');
  await expectInSync(client, 'an export without IDs', JSON.parse(named));
  await expectInSync(client, 'an export as YAML', await exported(client, own, '&format=yaml'));
  const again = await applied(client, 'import?overwrite=true&snapshot=true', JSON.parse(whole));
  expectSame('an export that is imported does nothing', [again.revision, again.snapshot], [first.revision, null]);

  if (!hasSecrets) await checkElsewhere(client, other, named);
  await checkRollback(client, own, document, whole);
}

/** A configuration without secrets is the same in another tenant. */
async function checkElsewhere(client: Client, other: string, named: string): Promise<void> {
  const moved = { ...JSON.parse(named), tenant_id: other };
  await applied(client, 'import', moved);
  const back = JSON.parse(await exported(client, other, '&ids=false'));
  expectSame('an export of what was exported elsewhere', JSON.stringify(back), JSON.stringify(moved));
}

/** Masks change no secret, and a rollback brings back every byte. */
async function checkRollback(client: Client, own: string, document: object, whole: string): Promise<void> {
  const snapshot = await client.expect('POST', `${config}/snapshots`, 201, { tenant_id: own });
  const changed = labelled(JSON.parse(whole));
  await applied(client, 'sync?dry_run=false', changed);
  const secretsStay = await client.expect('POST', `${config}/diff`, 200, document);
  const touched = JSON.stringify(secretsStay.changes).includes('secret_changed');
  expectSame('a mask changes no secret', touched, false);
  const path = `${config}/snapshots/${snapshot.id}/rollback`;
  await client.expect('POST', path, 200, { tenant_id: own, dry_run: false, mode: 'exact' });
  expectSame('an exact rollback brings back the export', await exported(client, own, ''), whole);
  const diff = await expectInSync(client, 'the bundle after the rollback', document);
  expectSame('the hash of the live state after the rollback', diff['config_hash'], snapshot.config_hash);
  const after = await client.expect('POST', `${config}/snapshots`, 201, { tenant_id: own });
  expectSame('the hash after the rollback', after.config_hash, snapshot.config_hash);
}

async function applied(client: Client, path: string, document: object): Promise<Answer['body']> {
  const answer = await client.expect('POST', `${config}/${path}`, 200, document);
  if (answer.status === 'success') return answer;
  const { validation, results } = answer;
  throw new Error(`${path}: ${answer.status}: ${JSON.stringify([validation.errors, results]).slice(0, 2000)}`);
}

async function exported(client: Client, tenantId: string, options: string): Promise<string> {
  const answer = await client.call('GET', `${config}/export?tenant_id=${tenantId}${options}`);
  if (answer.status === 200) return answer.text;
  throw new Error(`the export answered ${answer.status}: ${answer.text}`);
}

/** @param document a text is sent as YAML */
async function expectInSync(client: Client, what: string, document: unknown): Promise<Record<string, unknown>> {
  const headers = typeof document === 'string' ? { 'content-type': 'application/yaml' } : {};
  const { status, text, body } = await client.call('POST', `${config}/diff`, document, headers);
  if (status !== 200) throw new Error(`${what}: the diff answered ${status}: ${text}`);
  const { in_sync: isInSync, errors, changes, unmanaged } = body;
  if (isInSync === true && unmanaged.length === 0) return body;
  throw new Error(`${what} differs: ${JSON.stringify({ errors, changes, unmanaged }).slice(0, 2000)}`);
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left === right) return;
  const at = Array.from({ length: left.length }, (_, index) => index).findIndex(
    (index) => left[index] !== right[index],
  );
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 400);
  throw new Error(`${what}: found ${around(left)}\n  and not ${around(right)}`);
}

function reversed(document: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(document).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.toReversed() : value,
  ]);
  return Object.fromEntries(entries.toReversed());
}

/** Every record with another label, and one more consumer. */
function labelled(document: Bundle): object {
  const entries = Object.entries(document).map(([key, records]) => [
    key,
    Array.isArray(records)
      ? records.map((record: BundleRecord) => ({ ...record, labels: { changed: 'yes' } }))
      : records,
  ]);
  const all = Object.fromEntries(entries) as Bundle;
  return { ...all, consumers: [...(all['consumers'] ?? []), { username: 'one more' }] };
}
