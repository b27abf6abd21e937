import { sql } from 'kysely';
import type { Executor } from '../database/database.ts';
import { Problem } from '../http/problem.ts';

/** What one tenant may keep. */
export interface DescriptionRoom {
  readonly versionsMax: number;
  /** Of all descriptions as they are kept, those too that only snapshots still have. */
  readonly packedBytesMax: number;
}

/** A large public API packs into one or two MiB: room for some hundred versions of it, or for two thousand of a usual one. */
export const descriptionRoom: DescriptionRoom = { versionsMax: 2000, packedBytesMax: 1_073_741_824 };

/** @throws Problem `quota_exceeded` where a tenant has more versions than it may. The write holds the tenant's lock, and has put its own there. */
export async function demandVersions(
  executor: Executor,
  tenantId: string,
  { versionsMax }: Pick<DescriptionRoom, 'versionsMax'>,
): Promise<void> {
  const { versions } = await executor
    .selectFrom('api_descriptions')
    .select(({ fn }) => fn.countAll<number>().as('versions'))
    .where('tenant_id', '=', tenantId)
    // Of one that a version has let go of, the revision is known.
    .where('until_revision', 'is', null)
    .executeTakeFirstOrThrow();
  if (versions > versionsMax) {
    throw new Problem('quota_exceeded', `a tenant has at most ${versionsMax} service versions`);
  }
}

/** @throws Problem `quota_exceeded` where a tenant keeps longer descriptions than it may. As for versions, the new one counts. */
export async function demandBytes(
  executor: Executor,
  tenantId: string,
  { packedBytesMax }: Pick<DescriptionRoom, 'packedBytesMax'>,
): Promise<void> {
  const { bytes } = await executor
    .selectFrom('api_descriptions')
    .select(({ fn }) => fn.coalesce(sql<number>`sum(octet_length(packed))`, sql<number>`0`).as('bytes'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (bytes > packedBytesMax) {
    const what = 'descriptions of service versions, packed, with those that snapshots and the last ten minutes keep';
    throw new Problem('quota_exceeded', `a tenant has at most ${packedBytesMax} bytes of ${what}`);
  }
}
