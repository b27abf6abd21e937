import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import { namesOfReferrers } from '../store/names-of-referrers.ts';
import { effectiveGroups } from './effective-groups.ts';

/**
 * Consumers show the groups that count for them. They are looked up, so that a renamed or deleted group shows at once. One that
 * more groups list than a read looks up is shown without the field: a part of them would look like all.
 */
export const consumerBehaviour: FamilyBehaviour = {
  async liveFields(executor, tenantId, records) {
    const targetIds = records.map((record) => record.id);
    const question = { tenantId, family: 'consumer-groups', targetFamily: 'consumers', targetIds };
    const { names, unread } = await namesOfReferrers(executor, question);
    return new Map(
      records.map(({ id, body }) => [
        id,
        unread.has(id) ? {} : { effective_groups: effectiveGroups(body['groups'], names.get(id)) },
      ]),
    );
  },
};
