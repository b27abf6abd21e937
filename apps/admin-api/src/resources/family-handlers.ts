import type { Family, NestedPath, ParentPath } from '@portcullis/resources';
import { familyNamed } from '@portcullis/resources';
import type { OperationInput, OperationOutput } from '../http/operation.ts';
import type { StoredRecord } from '../store/resource-store.ts';
import { actorOf } from './actor.ts';
import { recordParameter } from './family-paths.ts';
import { filterOf, pageHeaders } from './list-query.ts';
import { notFoundIn } from './record-reader.ts';
import type { RecordReader } from './record-reader.ts';
import { viewOf } from './record-view.ts';
import type { RecordWriter, WrittenRecord } from './record-writer.ts';
import { withoutNulls } from './record-input.ts';
import { bodyOf, checkIfMatch, checkedId, idPart, ownFields, patched, withParent } from './sent-record.ts';
import type { Place } from './sent-record.ts';
import type { TenantClues, TenantOf } from './tenant-of.ts';
import { without } from './values.ts';
import type { Values } from './values.ts';
import { inWriteSession } from './write-session.ts';
import type { WriteSession, WriteSessionParts } from './write-session.ts';

/** What the operations of all families work with. */
export interface FamilyHandlerParts extends WriteSessionParts {
  readonly reader: RecordReader;
  readonly writer: RecordWriter;
  readonly tenantOf: TenantOf;
}

/** The handlers of one family's operations. `nested` is the alias path through which an operation was called. */
export interface FamilyHandlers {
  list(input: OperationInput, nested: NestedPath | undefined): Promise<OperationOutput>;
  read(input: OperationInput): Promise<OperationOutput>;
  create(input: OperationInput, nested: NestedPath | undefined): Promise<OperationOutput>;
  put(input: OperationInput): Promise<OperationOutput>;
  patch(input: OperationInput): Promise<OperationOutput>;
  remove(input: OperationInput): Promise<OperationOutput>;
  references(input: OperationInput): Promise<OperationOutput>;
}

/** The family that a path leads through. @throws RangeError for a declaration without that reference: a bug */
export function targetFamilyOf(family: Family, above: ParentPath): string {
  const reference = family.references.find((candidate) => candidate.field === above.field);
  if (!reference) throw new RangeError(`${family.name}: a path by ${above.field}, which is no reference`);
  return reference.family;
}

/** Makes the handlers of a family. They know it by its declaration only. */
export function createFamilyHandlers(parts: FamilyHandlerParts, family: Family): FamilyHandlers {
  const { reader, writer, database } = parts;
  const read = database.read;

  async function placeOf(input: OperationInput, clues?: TenantClues): Promise<Place> {
    const tenantId = await parts.tenantOf(family, input, clues);
    const gateway = family.scope === 'gateway' ? input.path['gateway_id'] : undefined;
    if (gateway === undefined) return { tenantId, gatewayId: null };
    const onGateway = { tenantId, gatewayId: await reader.gatewayId(read, tenantId, gateway), gatewayInPath: gateway };
    return family.parent
      ? { ...onGateway, parentId: (await recordAbove(input, onGateway, family.parent)).id }
      : onGateway;
  }

  function recordAbove(input: OperationInput, place: Place, above: ParentPath): Promise<StoredRecord> {
    const target = familyNamed(targetFamilyOf(family, above));
    return reader.find(read, input.principal, target, place, input.path[above.parameter] ?? '');
  }

  /** The sent fields with the reference that the path gives, where all records of the family are below another's path. */
  function belowParent(input: OperationInput, place: Place, sent: Values): Values {
    const { parent } = family;
    if (!parent || place.parentId === undefined) return sent;
    return withParent(sent, parent.field, { id: place.parentId, inPath: input.path[parent.parameter] });
  }

  async function answer(status: number, place: Place, record: StoredRecord, reveal: Values): Promise<OperationOutput> {
    const [view] = await reader.view(read, family, place.tenantId, [record]);
    const packed = family.documents && (await reader.documents(read, family, record));
    const headers = { etag: `"${record.revision}"` };
    return { status, headers, body: { ...view, ...reveal }, ...(packed && { packed }) };
  }

  function write(input: OperationInput, place: Place, work: Parameters<typeof inWriteSession<WrittenRecord>>[3]) {
    return inWriteSession(parts, place.tenantId, actorOf(input.principal, input.request), work);
  }

  async function storedOf(session: WriteSession, input: OperationInput, place: Place): Promise<StoredRecord> {
    const stored = await reader.findToWrite(session.transaction, input.principal, family, place, idOf(input));
    if (!stored) throw notFoundIn(family, place);
    return stored;
  }

  /** Read-only fields that change by themselves are passed over: what a caller has read of them may be out of date. */
  async function withoutLiveFields(session: WriteSession, stored: StoredRecord, sent: Values): Promise<Values> {
    if (!Object.keys(family.readOnlyFields).some((name) => name in sent)) return sent;
    const [view = {}] = await reader.view(session.transaction, family, stored.tenantId, [stored]);
    const kept = viewOf(family, stored);
    const live = Object.keys(family.readOnlyFields).filter((name) => name in view && !(name in kept));
    return without(sent, ...live);
  }

  const idOf = (input: OperationInput): string => input.path[recordParameter(family)] ?? '';

  return {
    async list(input: OperationInput, nested: NestedPath | undefined): Promise<OperationOutput> {
      const place = await placeOf(input, { isList: true });
      const above = nested ?? family.parent;
      const parent = above && (await recordAbove(input, place, above));
      const query = above && parent ? { ...input.query, [above.field]: parent.id } : input.query;
      const { items, total } = await reader.list(read, input.principal, family, filterOf(family, query, place));
      const shown = await reader.view(read, family, place.tenantId, items, true);
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: { items: shown, total, skip: Number(input.query['skip']), limit: Number(input.query['limit']) },
      };
    },

    async read(input: OperationInput): Promise<OperationOutput> {
      const place = await placeOf(input);
      return answer(200, place, await reader.find(read, input.principal, family, place, idOf(input)), {});
    },

    async create(input: OperationInput, nested: NestedPath | undefined): Promise<OperationOutput> {
      const body = bodyOf(input);
      const place = await placeOf(input, { body });
      const sent = withoutNulls(family, body);
      const parent = nested && (await recordAbove(input, place, nested));
      const own = ownFields(family, sent, { ...place, ...idPart(sent) }, undefined);
      const filled =
        nested && parent
          ? withParent(own, nested.field, { id: parent.id, inPath: input.path[nested.parameter] })
          : belowParent(input, place, own);
      const anticipated = await writer.anticipate(family, filled, place.tenantId);
      const { result } = await write(input, place, (session) =>
        writer.create(session, family, { ...idPart(sent), gatewayId: place.gatewayId }, filled, anticipated),
      );
      return answer(201, place, result.record, result.reveal);
    },

    async put(input: OperationInput): Promise<OperationOutput> {
      const body = bodyOf(input);
      const place = await placeOf(input, { body });
      const sent = withoutNulls(family, body);
      const anticipated = await writer.anticipate(family, sent, place.tenantId);
      const { result } = await write(input, place, async (session) => {
        const stored = await reader.findToWrite(session.transaction, input.principal, family, place, idOf(input));
        checkIfMatch(input, stored);
        const shown = stored && viewOf(family, stored);
        const fixed = stored ? await withoutLiveFields(session, stored, sent) : sent;
        const own = ownFields(family, fixed, { ...place, id: stored?.id ?? idOf(input) }, shown);
        return stored
          ? writer.replace(session, family, stored, own, anticipated)
          : writer.create(
              session,
              family,
              { id: checkedId(idOf(input)), gatewayId: place.gatewayId },
              own,
              anticipated,
            );
      });
      return answer(result.action === 'create' ? 201 : 200, place, result.record, result.reveal);
    },

    async patch(input: OperationInput): Promise<OperationOutput> {
      const sent = bodyOf(input);
      const place = await placeOf(input, { body: sent });
      const anticipated = await writer.anticipate(family, sent, place.tenantId);
      const { result } = await write(input, place, async (session) => {
        const stored = await storedOf(session, input, place);
        checkIfMatch(input, stored);
        const fixed = await withoutLiveFields(session, stored, sent);
        const own = ownFields(family, fixed, { ...place, id: stored.id }, viewOf(family, stored));
        const below = family.parent && family.parent.field in own ? belowParent(input, place, own) : own;
        return writer.replace(session, family, stored, patched(family, stored, below), anticipated);
      });
      return answer(200, place, result.record, result.reveal);
    },

    async remove(input: OperationInput): Promise<OperationOutput> {
      const place = await placeOf(input);
      await inWriteSession(parts, place.tenantId, actorOf(input.principal, input.request), async (session) => {
        const stored = await storedOf(session, input, place);
        checkIfMatch(input, stored);
        await writer.remove(session, family, stored);
      });
      return { status: 204 };
    },

    async references(input: OperationInput): Promise<OperationOutput> {
      const place = await placeOf(input);
      const record = await reader.find(read, input.principal, family, place, idOf(input));
      const page = { skip: Number(input.query['skip']), limit: Number(input.query['limit']) };
      const { items, total } = await reader.referrers(read, place.tenantId, family, record.id, page);
      return {
        status: 200,
        headers: pageHeaders(input.request.path, input.query, total),
        body: { items, total, ...page },
      };
    },
  };
}
