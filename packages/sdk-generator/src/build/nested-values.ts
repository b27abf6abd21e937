import type { NamedType } from '../model/named-types.ts';
import type { SdkOperation } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';
import type { Findings } from './findings.ts';
import { withoutNull } from './schemas/scalar-types.ts';

/** Characters of one name in a warning. */
const nameLengthMax = 60;

/**
 * Warns of parameters and fields of forms that are objects with lists or objects inside. OpenAPI says only how an object of texts and
 * numbers is written: what clients do with the rest is a choice that a server may not share.
 */
export function warnOfNestedValues(
  types: readonly NamedType[],
  operations: readonly SdkOperation[],
  findings: Findings,
): void {
  const byId = new Map(types.map((type) => [type.id, type]));
  for (const { pointer, parameters, body } of operations) {
    const form = body?.type.kind === 'named' ? byId.get(body.type.id) : undefined;
    const fields = form?.kind === 'object' ? form.properties : [];
    const written = [
      ...parameters.filter(({ style }) => style !== 'json'),
      ...fields.filter(({ part }) => part?.kind === 'text'),
    ];
    for (const { wireName, type } of written) {
      if (!insideOf(byId, type).some((inner) => isNested(byId, inner))) continue;
      findings.warn(
        pointer,
        `writes ${wireName.slice(0, nameLengthMax)}, an object with lists or objects inside, in a way of its own: OpenAPI leaves it open`,
      );
    }
  }
}

/** The types of what an object has; nothing for what is none. */
function insideOf(byId: ReadonlyMap<string, NamedType>, type: TypeRef): readonly TypeRef[] {
  if (type.kind === 'map') return [type.values];
  const named = type.kind === 'named' ? byId.get(type.id) : undefined;
  if (named?.kind !== 'object') return [];
  return [...named.properties.map((property) => property.type), ...(named.additional ? [named.additional] : [])];
}

function isNested(byId: ReadonlyMap<string, NamedType>, given: TypeRef): boolean {
  const type = withoutNull(given);
  return type.kind === 'list' || type.kind === 'map' || (type.kind === 'named' && byId.get(type.id)?.kind === 'object');
}
