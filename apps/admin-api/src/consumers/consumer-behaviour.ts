import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { effectiveGroups, groupsListing } from './effective-groups.ts';

/** Consumers show the groups that count for them. They are looked up, so that a renamed or deleted group shows at once. */
export const consumerBehaviour: FamilyBehaviour = {
  async liveFields(executor, tenantId, records) {
    const ids = records.map((record) => record.id);
    const listing = await groupsListing(executor, tenantId, ids);
    return new Map(
      records.map(({ id, body }) => [id, { effective_groups: effectiveGroups(body['groups'], listing.get(id)) }]),
    );
  },
};
