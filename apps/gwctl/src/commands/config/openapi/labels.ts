import type { Description, Operation } from '@portcullis/openapi';
import { fieldLimits } from '@portcullis/resources';
import { slug } from './names.ts';

/** Labels of a record. */
export type Labels = Readonly<Record<string, string>>;

/** Tags that become labels; the rest of the labels say where the route comes from. */
const tagsMax = fieldLimits.labelsMax - 8;

/** Where a service comes from. */
export function serviceLabels({ title, apiVersion }: Description): Labels {
  return present({ 'openapi-title': title, 'openapi-version': apiVersion });
}

/** Where a route comes from: its path, its operation if it is one, its tags, and whether all of it is deprecated. */
export function routeLabels(path: string, operations: readonly Operation[]): Labels {
  const ids = operations.flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId]));
  const tags = [...new Set(operations.flatMap((operation) => operation.tags.map((tag) => slug(tag))))];
  return present({
    'openapi-path': path,
    'openapi-operation': operations.length === 1 ? (ids[0] ?? '') : '',
    'openapi-deprecated': operations.every(({ deprecated }) => deprecated) ? 'true' : '',
    ...Object.fromEntries(
      tags
        .filter((tag) => tag !== '')
        .toSorted()
        .slice(0, tagsMax)
        .map((tag) => [`openapi-tag-${tag}`.slice(0, fieldLimits.labelKeyLengthMax), 'true']),
    ),
  });
}

/** Without what is empty, and in the form that labels have to have. */
function present(labels: Labels): Labels {
  const entries = Object.entries(labels).map(([key, value]) => [key, labelText(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}

function labelText(text: string): string {
  return plainText(text).slice(0, fieldLimits.labelValueLengthMax).toWellFormed();
}

/** A text as records keep it: no control characters, and no half of a surrogate pair. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .toWellFormed();
}
