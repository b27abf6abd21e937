import { entityFamilies } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { entityNames, isNamed, listParent, writeMethods } from '../api/entities.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { table } from '../output/table.ts';

/** Prints the kinds of records. */
export async function listEntities(options: GlobalOptions): Promise<number> {
  const items = entityFamilies.map(described);
  await printDocument(options.outputFormat, { items }, () =>
    table(
      ['entity', 'singular', 'by', 'lives in', 'list needs', 'commands'],
      items.map((item) => [
        item.entity,
        item.singular,
        item.addressed_by.join(' or '),
        item.scope,
        item.list_needs,
        item.commands,
      ]),
    ),
  );
  return exitCodes.done;
}

function described(family: Family) {
  const methods = writeMethods(family);
  const parent = listParent(family);
  const needs = [...(family.scope === 'gateway' ? ['--gateway-id'] : []), ...(parent ? [option(parent.field)] : [])];
  return {
    entity: family.name,
    singular: entityNames(family)[1] ?? family.name,
    addressed_by: isNamed(family) ? ['id', 'name'] : ['id'],
    scope: family.scope,
    list_needs: needs,
    commands: [
      'get',
      ...(methods.includes('POST') ? ['create'] : []),
      ...(methods.includes('PATCH') || methods.includes('PUT') ? ['update'] : []),
      ...(methods.includes('DELETE') ? ['delete'] : []),
    ],
  };
}

function option(field: string): string {
  return `--${field.replace('_', '-')}`;
}
