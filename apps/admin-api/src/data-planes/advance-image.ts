import type { ChangeRow } from '../database/tables.ts';
import { changesSince } from '../revisions/changes-since.ts';
import type { ConfigurationImage, ImageChange, RecordKey } from './configuration-image.ts';
import { withholding } from './configuration-image.ts';
import { configurationFamilyOf, gatewayFamilies, tenantFamilies, type DeliveredFamily } from './delivered-record.ts';
import { gatewayOfChange } from './gateway-revision.ts';
import { changeOf, readImage, revisionsOf, type ImageView } from './read-image.ts';

/** Records that are read one by one at most; beyond it, reading everything is cheaper. */
const recordsMax = 5000;

/**
 * Brings an image up to date at the cost of what changed: the records that the change log names are read, and of the others
 * only those that select something that came or went with them. A change of what decides about many records (the gateway
 * itself, realms, groups) and a log that does not reach back make a new image, which goes on from the old one's history.
 * @returns the image or a new one; `undefined` when the gateway is gone
 */
export async function advanceImage(
  view: ImageView,
  image: ConfigurationImage,
): Promise<ConfigurationImage | undefined> {
  const since = await changesSince(view.executor, view.tenantId, image.logRevision, view.gatewayId);
  const touched = since.kind === 'delta' ? touchedRecords(since.changes, view.gatewayId) : undefined;
  if (touched === undefined) return (await readImage(view))?.following(image);
  const { revision } = await revisionsOf(view);
  image.apply(await changesOf(view, image, touched), { revision, logRevision: since.revision });
  return image;
}

/** Changed records by family. */
export type TouchedRecords = ReadonlyMap<DeliveredFamily, ReadonlySet<string>>;

/** @returns `undefined` when the changes decide about records that they do not name, or are too many */
export function touchedRecords(changes: readonly ChangeRow[], gatewayId: string): TouchedRecords | undefined {
  const touched = new Map<DeliveredFamily, Set<string>>();
  let count = 0;
  for (const change of changes) {
    const concerns = gatewayOfChange(change);
    if (concerns !== '' && concerns !== gatewayId) continue;
    const family = deliveredFamilies.get(change.family);
    if (family === undefined || count >= recordsMax) return undefined;
    const ids = touched.get(family) ?? new Set();
    touched.set(family, ids.add(change.id));
    count += 1;
  }
  return touched;
}

const deliveredFamilies: ReadonlyMap<string, DeliveredFamily> = new Map(
  [...gatewayFamilies, ...tenantFamilies].map((family) => [family, family]),
);

/** Nothing is applied here: the image stays as it is when a read fails. */
async function changesOf(view: ImageView, image: ConfigurationImage, touched: TouchedRecords): Promise<ImageChange[]> {
  const draft = image.known.draft();
  const changes: ImageChange[] = [];
  const look = async (family: DeliveredFamily, ids: ReadonlySet<string>): Promise<void> => {
    if (ids.size === 0) return;
    const records = await view.store.getMany(view.executor, view.tenantId, family, [...ids]);
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const id of ids) {
      const record = byId.get(id);
      const key: RecordKey = `${configurationFamilyOf(family)}/${id}`;
      const change = record ? changeOf(view, image.audience, draft, family, record) : withholding(key, undefined);
      for (const selector of image.offersOf(key)) draft.add(selector, -1);
      for (const selector of change.delivered?.offers ?? []) draft.add(selector, 1);
      changes.push(change);
    }
  };
  for (const family of gatewayFamilies) await look(family, touched.get(family) ?? new Set());
  // Consumers come before what names them, so that each family finds what it names decided.
  for (const family of tenantFamilies) {
    const prefix = `${configurationFamilyOf(family)}/`;
    const affected = [...image.selecting(draft.flipped())].filter((key) => key.startsWith(prefix));
    const ids = [...(touched.get(family) ?? []), ...affected.map((key) => key.slice(prefix.length))];
    await look(family, new Set(ids));
  }
  return changes;
}

const certificateKey = /^(?:certificates|ca_certificates|snis)\//;

/**
 * Everything that may have moved since a revision that the image's history does not have, for instance one from before a
 * restart. More than did move is no mistake, less would be: so names that records no longer have count with all that select
 * by name. The node's hash tells whether it had what it says it had.
 * @returns `undefined` when that cannot be said
 */
export async function movedByLog(
  view: Pick<ImageView, 'executor' | 'tenantId' | 'gatewayId'>,
  image: ConfigurationImage,
  since: number,
): Promise<ReadonlySet<RecordKey> | undefined> {
  const log = await changesSince(view.executor, view.tenantId, since, view.gatewayId);
  // Changes that the image does not show yet do no harm; an image that moved past the log would lack some.
  if (log.kind !== 'delta' || image.logRevision > log.revision) return undefined;
  const touched = touchedRecords(log.changes, view.gatewayId);
  // A removal of an AI record asks for a newer form of configurations, also of one that no gateway was ever given.
  if (touched === undefined || touched.has('ai-records')) return undefined;
  const keys = new Set<RecordKey>();
  for (const [family, ids] of touched) for (const id of ids) keys.add(`${configurationFamilyOf(family)}/${id}`);
  const hasTouched = (family: DeliveredFamily): boolean => touched.has(family);
  if (hasTouched('services') || hasTouched('routes') || hasTouched('consumers')) {
    for (const key of image.selectingBeyondGateway()) keys.add(key);
  }
  // The same goes for what came with certificates: their removal is told only where everything is.
  const isGone = (key: RecordKey): boolean => certificateKey.test(key) && image.lineOf(key) === undefined;
  return keys.size > recordsMax || [...keys].some(isGone) ? undefined : keys;
}
