import type { FieldProblem } from '../http/problem.ts';
import type { FamilyBehaviour, Prepared } from '../resources/family-behaviour.ts';
import { isValues, type Values, without } from '../resources/values.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import {
  type DescriptionPlace,
  isKeptSince,
  keepDescription,
  letGo,
  readPacked,
  takeUpAgain,
} from './api-descriptions.ts';
import type { CheckedDescription, DescriptionCheck } from './check-description.ts';
import { demandBytes, demandVersions, type DescriptionRoom, descriptionRoom } from './description-room.ts';
import type { DescriptionThreads } from './description-threads.ts';

/** What the behaviour works with. */
export interface VersionBehaviourParts {
  readonly threads: Pick<DescriptionThreads, 'run'>;
  readonly nowMs: () => number;
  readonly room?: DescriptionRoom;
}

/**
 * Service versions: the description is checked in a thread before the write's transaction opens, and kept beside the record, which has its
 * digest. So lists, snapshots and audit records stay small. Source: wire contract, AI records, integrations, SDKs; ADR 0069.
 */
export function createVersionBehaviour({
  threads,
  nowMs,
  room = descriptionRoom,
}: VersionBehaviourParts): FamilyBehaviour {
  return {
    async anticipate(sent, tenantId) {
      const { spec } = sent;
      // A change that would take it away; a new record is without it then.
      if (spec === null) return { spec };
      if (typeof spec !== 'string') return {};
      return { spec: await threads.run(tenantId, 'check', async () => ({ kind: 'check', text: spec })) };
    },
    async prepare({ executor, tenantId, id, values, stored, anticipated, revision }): Promise<Prepared> {
      const own = without(values, 'spec');
      if (values['spec'] === undefined) {
        const document = stored?.body['document'];
        return document === undefined || anticipated['spec'] === null
          ? refused([required])
          : { ok: true, body: { ...own, document } };
      }
      const check = anticipated['spec'] as DescriptionCheck | undefined;
      if (!check) return refused([notAnObject]);
      if (!check.ok) return refused(check.problems.map((each) => ({ ...each, pointer: `/spec${each.pointer}` })));
      const { packed, document } = check.description;
      const place = { tenant_id: tenantId, version_id: id, sha256: document.sha256 };
      await keepDescription(executor, { ...place, from_revision: revision, packed });
      return { ok: true, body: { ...own, document } };
    },
    async afterWrite({ transaction, revision, before, after }) {
      const [old, now] = [before && placeOf(before), after && placeOf(after)];
      if (now) await takeUpAgain(transaction, now);
      if (old && old.sha256 !== now?.sha256) await letGo(transaction, old, { revision, nowMs: nowMs() });
      // A tenant may have more than that since before there were bounds: what adds nothing, as most rollbacks, is not refused to it.
      if (now && !old) await demandVersions(transaction, now.tenant_id, room);
      if (now && old?.sha256 !== now.sha256 && (await isKeptSince(transaction, now, revision)))
        await demandBytes(transaction, now.tenant_id, room);
    },
    async documents(executor, record) {
      const packed = await readPacked(executor, placeOf(record));
      return packed === undefined ? undefined : { spec: packed };
    },
  };
}

const required: FieldProblem = { pointer: '/spec', code: 'required', message: 'is required' };
const notAnObject: FieldProblem = { pointer: '/spec', code: 'type', message: 'must be an object or a text' };

function refused(problems: readonly FieldProblem[]): Prepared {
  return { ok: false, problems };
}

/** Where the description of a version is kept. @throws TypeError for a record without one: a bug */
export function placeOf({ tenantId, id, body }: StoredRecord): DescriptionPlace {
  return { tenant_id: tenantId, version_id: id, sha256: documentOf(body).sha256 };
}

function documentOf({ document }: Values): CheckedDescription['document'] {
  if (!isValues(document) || typeof document['sha256'] !== 'string')
    throw new TypeError('a version without a description');
  return document as unknown as CheckedDescription['document'];
}
