import type { Family, FamilyReference } from '@portcullis/resources';
import type { QueryParameter } from '../http/operation.ts';
import { Problem } from '../http/problem.ts';
import {
  booleanParameter,
  choiceParameter,
  pageParameters,
  tenantIdParameter,
  textParameter,
} from '../http/query-parameters.ts';
import type { RecordFilter } from '../store/resource-store.ts';

/** Query parameters of a family's list. */
export function listParameters(family: Family): readonly QueryParameter[] {
  return [
    ...(family.scope === 'system' ? [] : [tenantIdParameter]),
    ...pageParameters,
    choiceParameter(
      'sort',
      'Field to order by; ties go by ID.',
      ['created_at', 'updated_at', 'name', 'id'],
      'created_at',
    ),
    choiceParameter('order', 'Direction.', ['asc', 'desc'], 'asc'),
    textParameter('name', 'Only the record of this name.'),
    textParameter('labels', 'Label selector: `k=v,k2=v2`; all must match.', 2048),
    booleanParameter('enabled', 'Only enabled, or only disabled records.'),
    ...ownReferences(family).map(({ field, many }) =>
      textParameter(
        field,
        many ? `Only records with this ID among ${field}.` : `Only records with this ${field}.`,
        128,
      ),
    ),
    ...(family.filters ?? []).map((field) => textParameter(field, `Only records with this ${field}.`)),
  ];
}

/** The references that a caller may name: not the one that the path names. */
function ownReferences({ references, parent }: Family): readonly FamilyReference[] {
  return references.filter(({ field }) => field !== parent?.field);
}

/** The store's filter for a list's checked query. @throws Problem for a label selector that is none */
export function filterOf(
  family: Family,
  query: Readonly<Record<string, unknown>>,
  place: { readonly tenantId: string; readonly gatewayId: string | null },
): Omit<RecordFilter, 'family'> {
  const references = family.references.flatMap(({ field }) => {
    const targetId = query[field];
    return typeof targetId === 'string' ? [{ field, targetId }] : [];
  });
  const fields = (family.filters ?? []).flatMap((field) => {
    const value = query[field];
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return {
    tenantId: place.tenantId,
    skip: Number(query['skip']),
    limit: Number(query['limit']),
    sort: query['sort'] as NonNullable<RecordFilter['sort']>,
    order: query['order'] as NonNullable<RecordFilter['order']>,
    ...(place.gatewayId !== null && { gatewayId: place.gatewayId }),
    ...(typeof query['name'] === 'string' && { name: query['name'] }),
    ...(typeof query['enabled'] === 'boolean' && { enabled: query['enabled'] }),
    ...(typeof query['labels'] === 'string' && { labels: labelSelector(query['labels']) }),
    ...(references.length > 0 && { references }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

function labelSelector(text: string): Record<string, string> {
  const pairs = text.split(',').map((part) => {
    const at = part.indexOf('=');
    if (at <= 0) throw new Problem('invalid_parameter', 'labels must read k=v, with commas between several');
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const;
  });
  const labels = Object.fromEntries(pairs);
  // No record has two values under one key; that is a mistake rather than a list without records.
  if (pairs.some(([key, value]) => labels[key] !== value)) {
    throw new Problem('invalid_parameter', 'labels must not ask for two values of one key');
  }
  return labels;
}

/** What a path may hold as it was sent, but not between the brackets of a link. */
const unsafeInLink = /[<>"\s\\]/g;

/** The headers of a page: the total, and where the next and previous pages are. Source: RFC 8288. */
export function pageHeaders(
  path: string,
  query: Readonly<Record<string, unknown>>,
  total: number,
): Record<string, string> {
  const skip = Number(query['skip']);
  const limit = Number(query['limit']);
  const link = (rel: string, target: number) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (['string', 'number', 'boolean'].includes(typeof one)) parameters.append(name, String(one));
      }
    }
    parameters.set('skip', String(target));
    parameters.set('limit', String(limit));
    return `<${path.replaceAll(unsafeInLink, encodeURIComponent)}?${parameters.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(skip + limit < total ? [link('next', skip + limit)] : []),
    ...(skip > 0 ? [link('prev', Math.max(0, skip - limit))] : []),
  ];
  return { 'x-total-count': String(total), ...(links.length > 0 && { link: links.join(', ') }) };
}
