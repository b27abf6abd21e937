import { catalogue } from '@portcullis/resources';
import { accessRuleOf } from './access-rules.test-support.ts';
import { type DescribedOperation, fillPath } from './described-operations.test-support.ts';
import { canary, creatorOf, type FilledTenant, type IsolationWorld } from './isolation-world.test-support.ts';
import { bodyFor, familyOf, sampleRequest } from './sample-requests.test-support.ts';

interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Two requests that differ only in whether what they name is another tenant's or nobody's. */
export interface RequestTwins {
  readonly title: string;
  readonly foreign: PlainRequest;
  readonly random: PlainRequest;
  /** What an unknown one is answered with. */
  readonly statuses: readonly number[];
  /** The request writes: the answers are the records, which differ, so only their statuses can be compared. */
  readonly isWritten?: boolean;
}

/** Every parameter of every path, pointed to the other tenant's record while the rest is the caller's own. */
export async function pathTwins(world: IsolationWorld): Promise<RequestTwins[]> {
  const all: RequestTwins[] = [];
  for (const operation of world.description.operations) {
    if (!isAboutRecords(operation)) continue;
    const sample = await sampleRequest(world.description, operation, neutralPlace(world));
    const own = valuesIn(operation, world.own);
    for (const parameter of operation.pathParameters) {
      const family = familyOf(parameter);
      if (family === undefined || world.own.shared.has(family)) continue;
      const isLast = parameter === operation.pathParameters.at(-1);
      const isUpsert = operation.method === 'PUT' && isLast && operation.path.endsWith('}');
      const ids = [world.other.records[family], isUpsert ? undefined : nameOf(world.other, family)];
      for (const foreignId of ids.filter((id) => id !== undefined)) {
        const at = (id: string, tenant: Record<string, string>) => ({
          method: operation.method,
          path: fillPath(operation, { ...tenant, [parameter]: id }),
          body: sample.body,
        });
        const randomId = randomLike(foreignId);
        const shared = {
          title: `${operation.title} with ${parameter}=${foreignId}`,
          // Most of what is done to tenants is for super administrators only.
          statuses: isUpsert ? [201] : accessRuleOf(operation).reach === 'system' ? [403, 404] : [404],
          isWritten: isUpsert,
        };
        // A body may be new once only.
        const again = isUpsert ? { body: bodyFor(operation.tag, world.place(world.own)) } : {};
        all.push({ ...shared, foreign: at(foreignId, own), random: { ...at(randomId, own), ...again } });
        if (!isUpsert && operation.pathParameters.length > 1) {
          // All of the path is the other tenant's.
          const other = valuesIn(operation, world.other);
          all.push({
            ...shared,
            title: `${shared.title}, all foreign`,
            foreign: at(foreignId, other),
            random: at(randomId, mapValues(other, randomLike)),
          });
        }
      }
    }
  }
  return all;
}

/** Every filter of every list: IDs of the other tenant's records, their names and labels. */
export async function queryTwins(world: IsolationWorld): Promise<RequestTwins[]> {
  const all: RequestTwins[] = [];
  for (const operation of world.description.operations) {
    if (operation.method !== 'GET' || !isAboutTenant(operation)) continue;
    for (const { name } of operation.queryParameters) {
      const foreign = filterValue(world.other, operation, name);
      if (foreign === undefined) continue;
      const at = (value: string) => {
        const path = fillPath(operation, valuesIn(operation, world.own));
        return { method: 'GET', path: `${path}?${new URLSearchParams({ [name]: value }).toString()}` };
      };
      const title = `${operation.title}?${name}=${foreign}`;
      all.push({ title, foreign: at(foreign), random: at(randomLike(foreign)), statuses: [200, 404, 422] });
    }
  }
  return all;
}

/** Every field of every body that refers to a record. */
export function bodyReferenceTwins(world: IsolationWorld): RequestTwins[] {
  return catalogue.flatMap((family) => {
    const creator = creatorOf(world, family.name);
    if (!creator || world.own.records[family.name] === 'none') return [];
    const path = fillPath(creator, valuesIn(creator, world.own));
    const record = { method: 'PATCH', path: `${path}/${world.own.records[family.name] ?? ''}` };
    const isChangeable = family.methods.includes('PATCH');
    return family.references.flatMap(({ field, nameField, many, family: target }) => {
      const byId = world.other.records[target] ?? '';
      const byName = nameOf(world.other, target);
      const fields: [string, string | undefined][] = [[field, byId]];
      if (nameField !== undefined) fields.push([nameField, byName]);
      if (many) fields.push([field, byName]);
      return fields.flatMap(([name, foreign]) => {
        if (foreign === undefined) return [];
        const body = bodyFor(family.name, world.place(world.own));
        // The reference by ID stays away when the one by name is meant.
        if (name !== field) delete body[field];
        const withValue = (value: string) => ({ [name]: many ? [value] : value });
        const creating = (value: string) => ({ method: 'POST', path, body: { ...body, ...withValue(value) } });
        const changing = (value: string) => ({ ...record, body: withValue(value) });
        const random = randomLike(foreign);
        const title = `${family.name} with ${name} of the other tenant`;
        return [
          { title: `POST ${title}`, foreign: creating(foreign), random: creating(random), statuses: [422] },
          ...(isChangeable
            ? [{ title: `PATCH ${title}`, foreign: changing(foreign), random: changing(random), statuses: [422] }]
            : []),
        ];
      });
    });
  });
}

/** New records with the names, keys and IDs that the other tenant's have. */
export async function takenKeyTwins(world: IsolationWorld): Promise<RequestTwins[]> {
  const all: RequestTwins[] = [];
  for (const family of catalogue) {
    const creator = creatorOf(world, family.name);
    const taken = world.other.sent[family.name];
    // Slugs are unique everywhere by the requirement; what is taken there shows.
    if (!creator || !taken || family.scope === 'system') continue;
    const path = fillPath(creator, valuesIn(creator, world.own));
    const fresh = () => bodyFor(family.name, world.place(world.own));
    const references = new Set(family.references.map(({ field }) => field));
    const own = fresh();
    const copied = Object.fromEntries(
      Object.entries(taken).map(([name, value]) => [name, references.has(name) ? own[name] : value]),
    );
    const post = (body: object) => ({ method: 'POST', path, body });
    const takesId = 'id' in propertiesOf(world, creator);
    const shared = { statuses: [201], isWritten: true };
    all.push(
      { ...shared, title: `${family.name} as the other tenant has it`, foreign: post(copied), random: post(fresh()) },
      {
        ...shared,
        ...(!takesId && { statuses: [422] }),
        title: `${family.name} with the ID of the other tenant's`,
        foreign: post({ ...fresh(), id: world.other.records[family.name] }),
        random: post({ ...fresh(), id: crypto.randomUUID() }),
      },
    );
  }
  return all;
}

function propertiesOf(world: IsolationWorld, { body }: DescribedOperation): object {
  return world.description.resolve(body?.schema ?? {})['properties'] ?? {};
}

function isAboutRecords(operation: DescribedOperation): boolean {
  const isAboutTenants = accessRuleOf(operation).reach === 'system';
  return operation.pathParameters.length > 0 && (isAboutTenants || isAboutTenant(operation));
}

function isAboutTenant(operation: DescribedOperation): boolean {
  return accessRuleOf(operation).reach === 'tenant' || accessRuleOf(operation).reach === 'optional';
}

/** A place for which nothing is made that the request would only destroy. */
function neutralPlace(world: IsolationWorld) {
  return { ...world.place(world.own), spare: async (family: string) => world.own.records[family] ?? '' };
}

function valuesIn(operation: DescribedOperation, tenant: FilledTenant): Record<string, string> {
  const values: Record<string, string> = {};
  for (const parameter of operation.pathParameters) {
    const family = familyOf(parameter);
    if (family !== undefined) values[parameter] = tenant.records[family] ?? '';
  }
  return values;
}

/** The name of a tenant's record, where the family's records can be addressed by one. */
function nameOf(tenant: FilledTenant, family: string): string | undefined {
  const key = catalogue.find((candidate) => candidate.name === family)?.keys.find(({ addressable }) => addressable);
  const value = key && tenant.sent[family]?.[key.fields[0] ?? ''];
  return typeof value === 'string' ? value : undefined;
}

/** A value of the other tenant to filter by; nothing for parameters that take none. */
function filterValue(tenant: FilledTenant, operation: DescribedOperation, parameter: string): string | undefined {
  if (parameter === 'tenant_id') return undefined;
  if (parameter === 'labels') {
    const [pair] = Object.entries((tenant.sent[operation.tag]?.['labels'] ?? {}) as Record<string, string>);
    return pair?.join('=');
  }
  if (parameter === 'name') return nameOf(tenant, operation.tag);
  if (/^(?:path_prefix|request_id|actor_id|entity_id)$/.test(parameter)) return canary;
  const family = catalogue.find(({ singular }) => parameter === `${singular}_id`)?.name;
  const reference = catalogue
    .find(({ name }) => name === operation.tag)
    ?.references.find(({ field }) => field === parameter);
  return tenant.records[reference?.family ?? family ?? ''];
}

/** A text of the same form that names nothing. */
function randomLike(text: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)) return `${text.slice(0, 15)}${crypto.randomUUID().slice(15)}`;
  if (!/x\d/.test(text)) return `${text}-that-is-not`;
  return text.replaceAll(/x\d+/g, () => `x${Math.floor(Math.random() * 1e9)}`);
}

function mapValues(values: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
