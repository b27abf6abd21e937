import { pluginCatalogue } from '@portcullis/plugins';
import { familyNamed, readSchema, writeSchema } from '@portcullis/resources';
import type { Operation, OperationInput, OperationOutput } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import { tenantIdParameter } from '../http/query-parameters.ts';
import { actorOf } from '../resources/actor.ts';
import type { FamilyHandlerParts } from '../resources/family-handlers.ts';
import { collectionPaths, recordParameter, recordPaths } from '../resources/family-paths.ts';
import { checkRecord } from '../resources/record-input.ts';
import { bodyOf, checkIfMatch, idPart, ownFields } from '../resources/sent-record.ts';
import type { Values } from '../resources/values.ts';
import { inWriteSession } from '../resources/write-session.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import { packageFamily } from './custom-packages.ts';
import { installPackage, removePackage } from './install-package.ts';
import type { WantedPackage } from './install-package.ts';

/** What the operations on plugin packages work with. */
export interface PluginPackageOperationParts extends FamilyHandlerParts {
  readonly store: ResourceStore;
}

const family = familyNamed(packageFamily);
const record = { schema: readSchema(family), headers: ['etag'] } as const;

/** Installing and removing plugin packages; reading is the engine's. Source: wire contract, small rules. */
export function pluginPackageOperations(parts: PluginPackageOperationParts): Operation[] {
  return [
    {
      id: 'installPluginPackage',
      method: 'POST',
      paths: collectionPaths(family),
      tag: family.name,
      summary:
        'Install a package for a tenant: 201 for a new custom one, 200 for one that is there already or replaced',
      access: family.access.write,
      query: [tenantIdParameter],
      body: { schema: writeSchema(family), validatedByHandler: true },
      responses: [
        { status: 200, description: 'The installed package', ...record },
        { status: 201, description: 'The new package', ...record },
      ],
      handler: (input) => install(parts, input),
    },
    {
      id: 'deletePluginPackage',
      method: 'DELETE',
      paths: recordPaths(family),
      tag: family.name,
      summary: 'Remove a custom package; refused while instances use it, and for built-in ones',
      access: family.access.write,
      query: [tenantIdParameter],
      responses: [{ status: 204, description: 'Removed' }],
      handler: (input) => remove(parts, input),
    },
  ];
}

async function install(parts: PluginPackageOperationParts, input: OperationInput): Promise<OperationOutput> {
  const sent = bodyOf(input);
  const tenantId = await parts.tenantOf(family, input, { body: sent });
  const place = { tenantId, gatewayId: null };
  const wanted = wantedOf(ownFields(family, sent, { ...place, ...idPart(sent) }, undefined));
  const id = idOf(sent, wanted.name);
  const { result } = await inWriteSession(parts, tenantId, actorOf(input.principal, input.request), (session) =>
    installPackage(parts, session, wanted, id),
  );
  const { reader, database } = parts;
  const installed = result?.record ?? (await reader.find(database.read, input.principal, family, place, wanted.name));
  return answer(parts, result?.isNew ? 201 : 200, tenantId, installed);
}

/**
 * The ID that the caller chose. @throws Problem for one that is a built-in package's: reads by name would find this one
 * instead of that
 */
function idOf(sent: Values, name: string): string | undefined {
  const { id } = idPart(sent);
  if (id === undefined || id === name || !pluginCatalogue.has(id)) return id;
  throw new Problem('validation_failed', '1 field is invalid', {
    errors: [{ pointer: '/id', code: 'exists', message: 'is the name of a built-in package' }],
  });
}

async function remove(parts: PluginPackageOperationParts, input: OperationInput): Promise<OperationOutput> {
  const tenantId = await parts.tenantOf(family, input);
  const place = { tenantId, gatewayId: null };
  const name = input.path[recordParameter(family)] ?? '';
  await inWriteSession(parts, tenantId, actorOf(input.principal, input.request), async (session) => {
    const stored = await parts.reader.find(session.transaction, input.principal, family, place, name);
    checkIfMatch(input, stored);
    await removePackage(parts, session, stored);
  });
  return { status: 204 };
}

async function answer(
  { reader, database }: PluginPackageOperationParts,
  status: number,
  tenantId: string,
  installed: StoredRecord,
): Promise<OperationOutput> {
  const [view] = await reader.view(database.read, family, tenantId, [installed]);
  return { status, headers: { etag: `"${installed.revision}"` }, body: view };
}

/** @throws Problem when a field is wrong */
function wantedOf(sent: Parameters<typeof checkRecord>[1]): WantedPackage {
  const checked = checkRecord(family, sent);
  // The family's schema says that they are what the type says.
  if (checked.ok) return checked.values as unknown as WantedPackage;
  const count = checked.problems.length === 1 ? '1 field is' : `${checked.problems.length} fields are`;
  throw new Problem('validation_failed', `${count} invalid`, { errors: checked.problems });
}
