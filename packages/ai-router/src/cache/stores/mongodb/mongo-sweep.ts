import type { CacheCollection } from '../data-ports.ts';
import { type StoreBounds, WRITE_TIMEOUT_MS } from '../store-bounds.ts';

/** Deletes what is beyond the bounds, the oldest first. What is past its time the server deletes by itself. */
export async function sweep(
  collection: CacheCollection,
  where: { readonly space: string; readonly partition: string },
  bounds: StoreBounds,
): Promise<void> {
  const { space } = where;
  await trim(collection, where, bounds.partitionEntriesMax);
  const call = { timeoutMs: WRITE_TIMEOUT_MS };
  const [total] = await collection.aggregate(
    [{ $match: { space } }, { $group: { _id: null, entries: { $sum: 1 }, bytes: { $sum: '$bytes' } } }],
    call,
  );
  const [entries, bytes] = [Number(total?.['entries'] ?? 0), Number(total?.['bytes'] ?? 0)];
  // As if all were of one size: what is left over goes with the next sweep.
  const fitting = bytes > bounds.spaceBytesMax ? Math.floor((entries * bounds.spaceBytesMax) / bytes) : entries;
  const most = Math.min(fitting, bounds.spaceEntriesMax);
  if (most < entries) await trim(collection, { space }, most);
}

/** Keeps so many of the newest. */
async function trim(collection: CacheCollection, where: object, entriesMax: number): Promise<void> {
  const call = { timeoutMs: WRITE_TIMEOUT_MS };
  const [oldest] = await collection.aggregate(
    [
      { $match: where },
      { $sort: { stored_at: -1 } },
      { $skip: entriesMax },
      { $limit: 1 },
      { $project: { stored_at: 1 } },
    ],
    call,
  );
  if (oldest !== undefined)
    await collection.remove({ ...where, stored_at: { $lte: Number(oldest['stored_at']) } }, call);
}
