import type { Family, NestedPath } from '@portcullis/resources';
import { familyNamed, patchSchema, readSchema, typeName, writeSchema } from '@portcullis/resources';
import * as v from 'valibot';
import type { BodyDescription, Operation, ResponseDescription } from '../http/operation.ts';
import { collectionPaths, recordPaths } from './family-paths.ts';
import { createFamilyHandlers, targetFamilyOf } from './family-handlers.ts';
import type { FamilyHandlerParts, FamilyHandlers } from './family-handlers.ts';
import { pageParameters, tenantIdParameter } from '../http/query-parameters.ts';
import { listParameters } from './list-query.ts';

/** Every operation of one family: create, list, read, replace, change, delete, references, nested aliases. */
export function familyOperations(parts: FamilyHandlerParts, family: Family): Operation[] {
  const shared: Shared = {
    family,
    handlers: createFamilyHandlers(parts, family),
    type: typeName(family),
    tag: family.name,
    record: { status: 200, description: 'The record', schema: readSchema(family), headers: ['etag'] },
    created: { status: 201, description: 'The new record', schema: readSchema(family), headers: ['etag'] },
  };
  const list = listOperation(shared);
  const create = createOperation(shared);
  const nested = (family.nestedPaths ?? []).flatMap((path, index) =>
    nestedOperations(shared, list, create, path, index),
  );
  const offered: Record<string, () => Operation> = {
    POST: () => create,
    PUT: () => replaceOperation(shared),
    PATCH: () => patchOperation(shared),
    DELETE: () => deleteOperation(shared),
  };
  return [
    list,
    readOperation(shared),
    referencesOperation(shared),
    ...family.methods.flatMap((method) => offered[method]?.() ?? []),
    ...nested,
  ];
}

interface Shared {
  readonly family: Family;
  readonly handlers: FamilyHandlers;
  readonly type: string;
  readonly tag: string;
  readonly record: ResponseDescription;
  readonly created: ResponseDescription;
}

/** How bodies are read that hold documents. */
function documentsOf({ documents }: Family): Pick<BodyDescription, 'bytesMax' | 'textFields'> {
  return documents ? { bytesMax: documents.bytesMax, textFields: documents.fields } : {};
}

const tenantQuery = (family: Family) => (family.scope === 'system' ? [] : [tenantIdParameter]);

function listOperation({ family, handlers, type, tag }: Shared): Operation {
  const page = v.pipe(
    v.object({ items: v.array(readSchema(family)), total: v.number(), skip: v.number(), limit: v.number() }),
    v.title(`${type}List`),
  );
  return {
    id: `list${plural(family)}`,
    method: 'GET',
    paths: collectionPaths(family),
    tag,
    summary: `List ${family.name.replaceAll('-', ' ')}`,
    access: family.access.read,
    query: listParameters(family),
    responses: [{ status: 200, description: 'A page of records', schema: page, headers: ['x-total-count', 'link'] }],
    handler: (input) => handlers.list(input, undefined),
  };
}

function readOperation({ family, handlers, type, tag, record }: Shared): Operation {
  return {
    id: `get${type}`,
    method: 'GET',
    paths: recordPaths(family),
    tag,
    summary: `Read one, by ID${family.keys.some((key) => key.addressable) ? ' or name' : ''}`,
    access: family.access.read,
    query: tenantQuery(family),
    responses: [record],
    handler: handlers.read,
  };
}

function createOperation({ family, handlers, type, tag, created }: Shared): Operation {
  return {
    id: `create${type}`,
    method: 'POST',
    paths: collectionPaths(family),
    tag,
    summary: 'Create one',
    access: family.access.write,
    query: tenantQuery(family),
    body: { schema: writeSchema(family), validatedByHandler: true, ...documentsOf(family) },
    responses: [created],
    handler: (input) => handlers.create(input, undefined),
  };
}

function replaceOperation({ family, handlers, type, tag, record, created }: Shared): Operation {
  return {
    id: `replace${type}`,
    method: 'PUT',
    paths: recordPaths(family),
    tag,
    summary: 'Replace one, or create it under this ID',
    access: family.access.write,
    query: tenantQuery(family),
    body: { schema: writeSchema(family), validatedByHandler: true, ...documentsOf(family) },
    responses: [record, created],
    handler: handlers.put,
  };
}

function patchOperation({ family, handlers, type, tag, record }: Shared): Operation {
  return {
    id: `update${type}`,
    method: 'PATCH',
    paths: recordPaths(family),
    tag,
    summary: 'Change some fields (JSON Merge Patch)',
    access: family.access.write,
    query: tenantQuery(family),
    body: { schema: patchSchema(family), validatedByHandler: true, ...documentsOf(family) },
    responses: [record],
    handler: handlers.patch,
  };
}

function deleteOperation({ family, handlers, type, tag }: Shared): Operation {
  return {
    id: `delete${type}`,
    method: 'DELETE',
    paths: recordPaths(family),
    tag,
    summary: 'Delete one; refused while others refer to it',
    access: family.access.delete ?? family.access.write,
    query: tenantQuery(family),
    responses: [{ status: 204, description: 'Deleted' }],
    handler: handlers.remove,
  };
}

const references = v.pipe(
  v.object({
    items: v.array(v.object({ resource_type: v.string(), id: v.string(), field: v.string() })),
    total: v.number(),
    skip: v.number(),
    limit: v.number(),
  }),
  v.title('References'),
);

function referencesOperation({ family, handlers, type, tag }: Shared): Operation {
  return {
    id: `list${type}References`,
    method: 'GET',
    paths: recordPaths(family, '/references'),
    tag,
    summary: 'What refers to the record',
    access: family.access.read,
    query: [...tenantQuery(family), ...pageParameters],
    responses: [
      {
        status: 200,
        description: 'A page of referring records',
        schema: references,
        headers: ['x-total-count', 'link'],
      },
    ],
    handler: handlers.references,
  };
}

/** A family's list and create under another record's path. */
function nestedOperations(
  { family, handlers }: Shared,
  list: Operation,
  create: Operation,
  nested: NestedPath,
  index: number,
): Operation[] {
  const suffix = `Of${typeName(familyNamed(targetFamilyOf(family, nested)))}${index === 0 ? '' : index + 1}`;
  const paths = [`/admin${nested.path}`];
  return [
    { ...list, id: `${list.id}${suffix}`, paths, handler: (input) => handlers.list(input, nested) },
    { ...create, id: `${create.id}${suffix}`, paths, handler: (input) => handlers.create(input, nested) },
  ];
}

function plural(family: Family): string {
  return family.name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
