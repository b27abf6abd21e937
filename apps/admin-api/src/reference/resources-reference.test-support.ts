import type { Family } from '@portcullis/resources';
import { familySection, operationTable } from './family-section.test-support.ts';
import { generatedNote, markdownTable } from './markdown.test-support.ts';
import type { DescribedOperation } from './operation-list.test-support.ts';

/** docs/reference/resources.md: every family, and the operations that belong to none. */
export function resourcesReference(families: readonly Family[], operations: readonly DescribedOperation[]): string {
  const names = new Set(families.map(({ name }) => name));
  const others = Map.groupBy(
    operations.filter(({ tag }) => !names.has(tag)),
    ({ tag }) => tag,
  );
  return `${[
    generatedNote,
    '# Resources',
    `Every resource family of the administration API. Paths under \`/api/v1/admin\` answer under \`/admin\` too. The page for
programs is [openapi.json](../../apps/admin-api/openapi.json), which a running service has at \`/openapi.json\` and shows at
\`/docs\`. How calls work at all is in the [guide](../guides/administration-api.md), errors are in [errors](errors.md).`,
    families.map(({ name, summary }) => `- [${name}](#${name}): ${summary.replace(/^[^:]*: /, '')}`).join('\n'),
    '## Fields of every record',
    markdownTable(['field', 'type', 'meaning'], commonFields),
    ...families.map((family) =>
      familySection(
        family,
        operations.filter(({ tag }) => tag === family.name),
      ),
    ),
    '## Other operations',
    ...[...others].flatMap(([tag, own]) => [`### ${tag}`, operationTable(own)]),
  ].join('\n\n')}\n`;
}

const commonFields: readonly (readonly string[])[] = [
  ['`id`', 'string', 'Given at creation or made then (UUID version 7); 1 to 128 of `A-Z a-z 0-9 . _ ~ -`'],
  ['`tenant_id`', 'string', 'Slug of the owning tenant; records of the system (tenants) have none'],
  ['`gateway_id`', 'string', 'Of families that live in a gateway: its ID, taken from the path'],
  ['`created_at`, `updated_at`', 'time', 'UTC with milliseconds'],
  ['`revision`', 'integer', 'Starts at 1, raised by every change; also the `ETag`'],
];
