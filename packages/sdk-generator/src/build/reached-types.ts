import type { NamedType, SdkObject } from '../model/named-types.ts';
import type { SdkOperation } from '../model/operations.ts';
import type { TypeRef } from '../model/type-refs.ts';

/**
 * The types that operations lead to, in their order. A field that only answers have is not required where the type is sent, too, and one
 * that only requests have not where it is received: otherwise nobody could make the one or read the other.
 */
export function reachedTypes(
  types: readonly NamedType[],
  operations: readonly SdkOperation[],
  errorTypes: readonly TypeRef[],
): readonly NamedType[] {
  const byId = new Map(types.map((type) => [type.id, type]));
  const sent = operations.flatMap(({ parameters, body }) => [
    ...parameters.map(({ type }) => type),
    ...(body ? [body.type] : []),
  ]);
  const received = [...operations.flatMap(({ result }) => (result.type ? [result.type] : [])), ...errorTypes];
  const isSent = reachedFrom(byId, sent);
  const isReceived = reachedFrom(byId, received);
  return types.flatMap((type): readonly NamedType[] => {
    if (!isSent.has(type.id) && !isReceived.has(type.id)) return [];
    return [type.kind === 'object' ? withOneWayFields(type, isSent.has(type.id), isReceived.has(type.id)) : type];
  });
}

function withOneWayFields(type: SdkObject, isSent: boolean, isReceived: boolean): SdkObject {
  const properties = type.properties.map((property) => {
    const isMissing = (isSent && property.isReadOnly) || (isReceived && property.isWriteOnly);
    return isMissing ? { ...property, isRequired: false } : property;
  });
  return { ...type, properties };
}

function reachedFrom(byId: ReadonlyMap<string, NamedType>, roots: readonly TypeRef[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    if (ref.kind === 'list') waiting.push(ref.items);
    else if (ref.kind === 'map') waiting.push(ref.values);
    else if (ref.kind === 'nullable') waiting.push(ref.type);
    else if (ref.kind === 'named' && !reached.has(ref.id)) {
      reached.add(ref.id);
      const type = byId.get(ref.id);
      if (type) waiting.push(...typesIn(type));
    }
  }
  return reached;
}

function typesIn(type: NamedType): readonly TypeRef[] {
  if (type.kind === 'enum') return [];
  if (type.kind === 'union') return type.variants.map((variant) => variant.type);
  return [...type.properties.map((property) => property.type), ...(type.additional ? [type.additional] : [])];
}
