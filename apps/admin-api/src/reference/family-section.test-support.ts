import { nameFields, writeSchema } from '@portcullis/resources';
import type { Family, FamilyKey, FamilyReference } from '@portcullis/resources';
import { toJsonSchema } from '@valibot/to-json-schema';
import { callersOf } from './callers-of.test-support.ts';
import { fieldRows } from './field-rows.test-support.ts';
import { markdownTable } from './markdown.test-support.ts';
import type { DescribedOperation } from './operation-list.test-support.ts';

/** Everything about one family: where it answers, to whom, its fields, and what holds its records together. */
export function familySection(family: Family, operations: readonly DescribedOperation[]): string {
  return [
    `## ${family.name}`,
    `${family.summary}.`,
    operationTable(operations),
    ...listLine(operations),
    '### Fields of ' + family.name,
    fieldTable(family),
    ...readOnlyTable(family),
    ...notes(family),
  ].join('\n\n');
}

/** Method, paths, purpose and callers of operations. Paths of the same operation stand in one row. */
export function operationTable(operations: readonly DescribedOperation[]): string {
  const rows = Map.groupBy(operations, ({ method, summary, access }) => `${method} ${access} ${summary}`);
  return markdownTable(
    ['method', 'path', 'what', 'who'],
    [...rows.values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const paths = same.map(({ path }) => `\`${path}\``).join(', ');
      return [[first.method, paths, first.summary, callersOf(first)]];
    }),
  );
}

const pageParameters = new Set(['tenant_id', 'skip', 'limit', 'sort', 'order']);

function listLine(operations: readonly DescribedOperation[]): readonly string[] {
  const filters = operations.find(({ method, query }) => method === 'GET' && query.includes('skip'))?.query ?? [];
  const shown = filters.filter((name) => !pageParameters.has(name)).map((name) => `\`${name}\``);
  return shown.length === 0 ? [] : [`Lists take the filters ${shown.join(', ')}.`];
}

function fieldTable(family: Family): string {
  const required = new Set(requiredOf(family));
  const byName = Object.keys(nameFields(family));
  const rows = Object.entries(family.fields).flatMap(([name, schema]) => fieldRows(name, schema, required.has(name)));
  const twins = family.references.flatMap(({ nameField, field }) =>
    nameField !== undefined && byName.includes(nameField)
      ? [[`\`${nameField}\``, 'string', '', 'writes only', `In place of \`${field}\`: the record’s name`]]
      : [],
  );
  const aliases = Object.entries(family.fieldAliases ?? {}).map(([alias, name]) => [
    `\`${alias}\``,
    '',
    '',
    'writes only',
    `Another name of \`${name}\``,
  ]);
  return markdownTable(
    ['field', 'type', 'default', 'rules', 'meaning'],
    [
      ...rows.map(({ name, type, fallback, rules, meaning }) => [
        `\`${name}\``,
        type,
        fallback === '' ? '' : `\`${fallback}\``,
        rules.join('; '),
        meaning,
      ]),
      ...twins,
      ...aliases,
    ],
  );
}

function requiredOf(family: Family): readonly string[] {
  const json = toJsonSchema(writeSchema(family), { typeMode: 'input', errorMode: 'ignore' });
  return json.required ?? [];
}

function readOnlyTable(family: Family): readonly string[] {
  const rows = Object.entries(family.readOnlyFields).flatMap(([name, schema]) => fieldRows(name, schema, false));
  if (rows.length === 0) return [];
  return [
    'Set by the server, and only read:',
    markdownTable(
      ['field', 'type', 'meaning'],
      rows.map(({ name, type, meaning }) => [`\`${name}\``, type, meaning]),
    ),
  ];
}

function notes(family: Family): readonly string[] {
  const lines = [
    ...family.keys.flatMap((key) => keyNote(family, key)),
    ...family.references.map(referenceNote),
    ...(family.bundle ? [`Bundles hold it under \`${family.bundle.key}\`.`] : ['Bundles do not hold it.']),
  ];
  return [lines.map((line) => `- ${line}`).join('\n')];
}

/** Keys over hidden fields (hashes) are nothing that a caller can see. */
function keyNote(family: Family, key: FamilyKey): readonly string[] {
  const isVisible = key.fields.every((field) => field in family.fields || field in family.readOnlyFields);
  if (!isVisible) return [];
  const scope = typeof key.scope === 'object' ? `for each \`${key.scope.field}\`` : scopeWords[key.scope];
  const address = key.addressable === true ? '; paths take it in place of the ID' : '';
  return [`Unique ${scope}: ${key.fields.map((field) => `\`${field}\``).join(' and ')}${address}.`];
}

const scopeWords = { everywhere: 'everywhere', tenant: 'in the tenant', gateway: 'in the gateway' } as const;

function referenceNote({ field, family, many, whenTargetIsDeleted }: FamilyReference): string {
  const what = many === true ? 'records' : 'a record';
  return `\`${field}\` refers to ${what} of ${family}. Deleting such a record ${deletionWords[whenTargetIsDeleted]}.`;
}

const deletionWords = {
  restrict: 'is refused while this one refers to it',
  cascade: 'deletes this one too',
  release: 'takes it out of the list',
} as const;
