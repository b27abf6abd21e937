import type { Family } from '@portcullis/resources';
import { answerAs } from '../api/answer-as.ts';
import { recordSchema } from '../api/answers.ts';
import { collectionPath, entityNamed, recordPath, writeMethods } from '../api/entities.ts';
import { findParents } from '../api/parents.ts';
import type { ParentOptions } from '../api/parents.ts';
import { openSession } from '../api/session.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { readInputFile, recordOf } from '../input-file.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument, printOutcome } from '../output/document.ts';
import { fieldTable } from '../output/table.ts';
import { tenantFor } from './get.ts';

/** Options of the commands that write one record. */
export interface WriteOptions extends GlobalOptions, ParentOptions {
  readonly tenantId?: string;
  readonly file: string;
}

/** Creates a record from a file and prints what the server made of it. */
export async function create(
  options: WriteOptions,
  entity: string | undefined,
  id: string | undefined,
): Promise<number> {
  const family = entityNamed(entity);
  if (!writeMethods(family).includes('POST')) throw new CommandFailure(`${family.name} cannot be created`);
  const record = recordOf(await readInputFile(options.file));
  if (id !== undefined && record['id'] !== undefined && record['id'] !== id) {
    throw new CommandFailure(`${options.file} has another id than ${id}`);
  }
  const session = await openSession(options, 'write');
  const parents = await findParents(session, family, options, 'record');
  const answer = await session.call('POST', collectionPath(family, parents.gatewayId), {
    query: { tenant_id: tenantFor(family, session.tenantId) },
    body: { ...record, ...parents.fields, ...(id === undefined ? {} : { id }) },
  });
  const made = answerAs(answer, recordSchema);
  await printDocument(options.outputFormat, made, () => fieldTable(made));
  return exitCodes.done;
}

/** Options of `gwctl update`. */
export interface UpdateOptions extends WriteOptions {
  readonly replace?: boolean;
}

/** Changes the fields that a file gives (PATCH), or with `--replace` the record as a whole (PUT). */
export async function update(
  options: UpdateOptions,
  entity: string | undefined,
  id: string | undefined,
): Promise<number> {
  const family = entityNamed(entity);
  const method = updateMethod(family, options.replace === true);
  const record = recordOf(await readInputFile(options.file));
  const target = id ?? record['id'];
  if (typeof target !== 'string') throw new CommandFailure(`which one? give its ID, or an id in ${options.file}`);
  const session = await openSession(options, 'write');
  const parents = await findParents(session, family, options, 'record');
  const answer = await session.call(method, recordPath(family, parents.gatewayId, target), {
    query: { tenant_id: tenantFor(family, session.tenantId) },
    body: { ...record, ...parents.fields },
  });
  const made = answerAs(answer, recordSchema);
  await printDocument(options.outputFormat, made, () => fieldTable(made));
  return exitCodes.done;
}

/** Deletes one record. People are told so on standard error; a program gets a document. */
export async function remove(options: Omit<WriteOptions, 'file'>, entity: string, id: string): Promise<number> {
  const family = entityNamed(entity);
  if (!writeMethods(family).includes('DELETE')) throw new CommandFailure(`${family.name} cannot be deleted`);
  const session = await openSession(options, 'write');
  const parents = await findParents(session, family, options, 'record');
  const query = { tenant_id: tenantFor(family, session.tenantId) };
  await session.call('DELETE', recordPath(family, parents.gatewayId, id), { query });
  const sentence = `${family.singular.replaceAll('_', ' ')} ${id} is deleted`;
  await printOutcome(options.outputFormat, { entity: family.name, id, deleted: true }, sentence);
  return exitCodes.done;
}

/** A family that has but one way is changed that way, unless the other one is asked for. */
function updateMethod(family: Family, replace: boolean): 'PATCH' | 'PUT' {
  const methods = writeMethods(family);
  if (replace && !methods.includes('PUT') && methods.includes('PATCH')) {
    throw new CommandFailure(`${family.name} cannot be replaced as a whole: leave --replace out`);
  }
  if (!replace && methods.includes('PATCH')) return 'PATCH';
  if (methods.includes('PUT')) return 'PUT';
  throw new CommandFailure(`${family.name} cannot be changed${insteadOfChange(family)}`);
}

function insteadOfChange(family: Family): string {
  const methods = writeMethods(family);
  return methods.includes('POST') && methods.includes('DELETE') ? ': delete and create instead' : '';
}
