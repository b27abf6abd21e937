import type { Family } from '@portcullis/resources';
import { answerAs } from '../api/answer-as.ts';
import { recordSchema } from '../api/answers.ts';
import { collectionPath, entityNamed, recordPath } from '../api/entities.ts';
import { findParents } from '../api/parents.ts';
import type { ParentOptions } from '../api/parents.ts';
import { allPages, onePage } from '../api/pages.ts';
import { openSession } from '../api/session.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { fieldTable } from '../output/table.ts';
import { printMessage } from '../output/messages.ts';
import { recordTable } from '../output/record-table.ts';

/** Options of `gwctl get`. */
export interface GetOptions extends GlobalOptions, ParentOptions {
  readonly tenantId?: string;
  readonly selector?: string;
  readonly limit?: string;
  readonly offset?: string;
  readonly sort?: string;
  readonly order?: string;
  readonly all?: boolean;
}

/** Prints a page of records, or one record by its ID or, where it is unique, its name. */
export async function get(options: GetOptions, entity: string | undefined, id: string | undefined): Promise<number> {
  const family = entityNamed(entity);
  const session = await openSession(options, 'read');
  const parents = await findParents(session, family, options, id === undefined ? 'list' : 'record');
  if (id !== undefined) {
    const query = { tenant_id: tenantFor(family, session.tenantId) };
    const answer = await session.call('GET', recordPath(family, parents.gatewayId, id), { query });
    const record = answerAs(answer, recordSchema);
    await printDocument(options.outputFormat, record, () => fieldTable(record));
    return exitCodes.done;
  }
  const { selector, limit, offset, sort, order } = options;
  const query = { ...parents.fields, labels: selector, limit, skip: offset, sort, order };
  const path = collectionPath(family, parents.gatewayId);
  const first = { tenant_id: tenantFor(family, session.tenantId), ...query };
  const page = await (options.all === true ? allPages(session, path, first) : onePage(session, path, first));
  await printDocument(options.outputFormat, page, () => recordTable(family, page));
  if (page.items.length === 0 && options.outputFormat === 'table') printMessage(`no ${family.name} found`);
  return exitCodes.done;
}

/** Records of the system belong to no tenant. */
export function tenantFor(family: Family, tenantId: string | undefined): string | undefined {
  return family.scope === 'system' ? undefined : tenantId;
}
