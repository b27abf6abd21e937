import type { Family } from '@portcullis/resources';
import { answerAs } from '../api/answer-as.ts';
import { collectionPath, entityNamed, recordPath, writeMethods } from '../api/entities.ts';
import { findParents } from '../api/parents.ts';
import type { ParentOptions } from '../api/parents.ts';
import { openSession } from '../api/session.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { readInputFile, recordOf } from '../input-file.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { fieldTable } from '../output/table.ts';
import { printMessage } from '../output/terminal.ts';
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
  const { body } = await session.call('POST', collectionPath(family, parents.gatewayId), {
    query: { tenant_id: tenantFor(family, session.tenantId) },
    body: { ...record, ...parents.fields, ...(id === undefined ? {} : { id }) },
  });
  const made = answerAs<Record<string, unknown>>(body, []);
  await printDocument(options.outputFormat, made, () => fieldTable(made));
  return exitCodes.done;
}

/** Changes the fields that a file gives; a family without PATCH is replaced as a whole. */
export async function update(
  options: WriteOptions,
  entity: string | undefined,
  id: string | undefined,
): Promise<number> {
  const family = entityNamed(entity);
  const method = (['PATCH', 'PUT'] as const).find((candidate) => writeMethods(family).includes(candidate));
  if (!method) throw new CommandFailure(`${family.name} cannot be changed${insteadOfChange(family)}`);
  const record = recordOf(await readInputFile(options.file));
  const target = id ?? record['id'];
  if (typeof target !== 'string') throw new CommandFailure(`which one? give its ID, or an id in ${options.file}`);
  const session = await openSession(options, 'write');
  const parents = await findParents(session, family, options, 'record');
  const { body } = await session.call(method, recordPath(family, parents.gatewayId, target), {
    query: { tenant_id: tenantFor(family, session.tenantId) },
    body: { ...record, ...parents.fields },
  });
  const made = answerAs<Record<string, unknown>>(body, []);
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
  if (options.outputFormat === 'table') printMessage(`${family.singular.replaceAll('_', ' ')} ${id} is deleted`);
  else await printDocument(options.outputFormat, { entity: family.name, id, deleted: true }, () => '');
  return exitCodes.done;
}

function insteadOfChange(family: Family): string {
  const methods = writeMethods(family);
  return methods.includes('POST') && methods.includes('DELETE') ? ': delete and create instead' : '';
}
