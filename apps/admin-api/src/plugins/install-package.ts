import { pluginCatalogue } from '@portcullis/plugins';
import { familyNamed } from '@portcullis/resources';
import { Problem } from '../http/problem.ts';
import type { RecordWriter } from '../resources/record-writer.ts';
import { patched } from '../resources/sent-record.ts';
import { isEqualJson, isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import type { WriteSession } from '../resources/write-session.ts';
import type { ResourceStore, StoredRecord } from '../store/resource-store.ts';
import type { CustomPackage } from './custom-package.ts';
import { packageFamily, toCustomPackage } from './custom-packages.ts';
import { closedSchema } from './plugin-package-behaviour.ts';
import { pluginRules, routeRules } from './plugin-behaviour.ts';
import { packageUsers, userLabel } from './package-users.ts';
import type { PackageUser } from './package-users.ts';

/** Custom packages of one tenant. Each may be 64 KiB, and planning a bundle takes along those that it names. */
const packagesMax = 50;
/** Records that one refusal names. */
const namedMax = 20;

/** What installing works with. */
export interface PackageParts {
  readonly store: ResourceStore;
  readonly writer: RecordWriter;
}

const family = familyNamed(packageFamily);

/** What a caller wants a tenant to have; the fields passed their checks. */
export interface WantedPackage {
  readonly name: string;
  readonly version?: string;
  readonly config_schema?: Values;
}

/**
 * Sees to it that a tenant has a package. A built-in one is there already; a custom one is registered, found as it is, or
 * replaced by another version that everything that uses it fits. Source: wire contract, small rules; spec, Errors (409).
 * @param id of a new record, when it is not to be the name
 * @returns the stored record and whether it is new; nothing for a built-in package
 * @throws Problem 409 when the version or the tenant's state stands against it, 422 for a schema that is none
 */
export async function installPackage(
  parts: PackageParts,
  session: WriteSession,
  wanted: WantedPackage,
  id: string | undefined,
): Promise<{ readonly record: StoredRecord; readonly isNew: boolean } | undefined> {
  const builtIn = pluginCatalogue.get(wanted.name);
  if (builtIn) {
    checkBuiltIn(builtIn.version, wanted);
    checkId(builtIn.name, id);
    return undefined;
  }
  const { store, writer } = parts;
  const key = { keyName: 'name', scope: session.tenantId, value: wanted.name };
  const stored = await store.findByKey(session.transaction, packageFamily, key);
  if (!stored) {
    await checkRoom(store, session);
    const place = { id: id ?? wanted.name, gatewayId: null };
    const { record } = await writer.create(session, family, place, { ...wanted });
    return { record, isNew: true };
  }
  checkId(stored.id, id);
  if (isAsWanted(stored, wanted)) return { record: stored, isNew: false };
  const { version } = stored.body;
  if (wanted.version === undefined || wanted.version === version) {
    throw conflict(`version ${String(version)} of ${wanted.name} is installed with another config_schema`);
  }
  if (wanted.config_schema === undefined) throw conflict(`version ${wanted.version} of ${wanted.name} does not exist`);
  const { record } = await writer.replace(session, family, stored, { ...wanted });
  await refit(parts, session, toCustomPackage(record));
  return { record, isNew: false };
}

/** Removes a custom package. @throws Problem 409 while anything uses it */
export async function removePackage(parts: PackageParts, session: WriteSession, stored: StoredRecord): Promise<void> {
  const name = String(stored.body['name']);
  if (pluginCatalogue.has(name)) throw conflict('built-in packages are installed for every tenant');
  const users: string[] = [];
  for await (const user of packageUsers(parts.store, session.transaction, session.tenantId, name)) {
    users.push(userLabel(user));
    if (users.length === namedMax) break;
  }
  if (users.length > 0) {
    throw new Problem('referenced_by_others', `the plugin package is still used by ${users.join(', ')}`);
  }
  await parts.writer.remove(session, family, stored);
}

function checkBuiltIn(version: string, wanted: WantedPackage): void {
  if (wanted.config_schema !== undefined)
    throw conflict(`${wanted.name} is built in and has a config_schema of its own`);
  if (wanted.version !== undefined && wanted.version !== version) {
    throw conflict(`version ${wanted.version} of ${wanted.name} does not exist; ${version} is installed`);
  }
}

function checkId(installed: string, wanted: string | undefined): void {
  if (wanted !== undefined && wanted !== installed) throw conflict('a plugin package of this name has another ID');
}

async function checkRoom(store: ResourceStore, { transaction, tenantId }: WriteSession): Promise<void> {
  const { total } = await store.list(transaction, { tenantId, family: packageFamily, skip: 0, limit: 1 });
  if (total >= packagesMax) {
    throw new Problem('quota_exceeded', `a tenant has at most ${packagesMax} plugin packages of its own`);
  }
}

function isAsWanted({ body }: StoredRecord, { version, config_schema: schema }: WantedPackage): boolean {
  if (version !== undefined && version !== body['version']) return false;
  return schema === undefined || (isValues(schema) && isEqualJson(closedSchema(schema), body['config_schema']));
}

/**
 * Writes everything that uses a package once more, so that it is checked by the new schema and its secrets are sealed as that
 * says. @throws Problem that names what does not fit; the session is then to be given up
 */
async function refit(parts: PackageParts, session: WriteSession, custom: CustomPackage): Promise<void> {
  const misfits: string[] = [];
  for await (const user of packageUsers(parts.store, session.transaction, session.tenantId, custom.name)) {
    const fits = !revealsSecret(user, custom) && (await isWritten(parts.writer, session, user));
    if (!fits) misfits.push(userLabel(user));
    if (misfits.length === namedMax) break;
  }
  if (misfits.length > 0) {
    throw new Problem('referenced_by_others', `config_schema ${custom.version} does not fit ${misfits.join(', ')}`);
  }
}

async function isWritten(writer: RecordWriter, session: WriteSession, user: PackageUser): Promise<boolean> {
  try {
    await writer.replace(session, user.family, user.record, patched(user.family, user.record, {}));
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** Whether the new schema no longer calls secret what is sealed: reads would show it. */
function revealsSecret({ family: { name }, record, places }: PackageUser, custom: CustomPackage): boolean {
  const packages = new Map([[custom.name, custom]]);
  const rules = name === 'plugins' ? pluginRules(packages) : routeRules(packages);
  const secret = new Set(rules.secretPointers?.(record.body));
  return Object.keys(record.secrets).some(
    (pointer) => places.some((place) => pointer.startsWith(`${place}/config/`)) && !secret.has(pointer),
  );
}

function conflict(detail: string): Problem {
  return new Problem('invalid_state', detail);
}
