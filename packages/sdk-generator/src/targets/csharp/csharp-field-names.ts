import type { SdkObject } from '../../model/named-types.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { CsharpContext } from './csharp-context.ts';
import { csharpString } from './csharp-text.ts';

/** What the class and the unions that it is one of have to know of its fields. */
export function fieldNames(context: CsharpContext, object: SdkObject): Lines {
  const isOfUnion = context.unions.has(object.id);
  if (!isOfUnion && (object.additional === undefined || object.isForm)) return [];
  const known = [
    ...object.properties.map(({ wireName }) => wireName),
    ...impliedTags(context, object).map(([name]) => name),
  ];
  const required = object.properties.filter(({ isRequired }) => isRequired).map(({ wireName }) => wireName);
  return [
    `internal static readonly HashSet<string> KnownNames = new HashSet<string> { ${known.map(csharpString).join(', ')} };`,
    '',
    isOfUnion && [
      `internal static readonly string[] RequiredNames = new string[] { ${required.map(csharpString).join(', ')} };`,
      '',
    ],
  ];
}

/** Fields that tell which one of a union an object is, where it does not list them itself. */
export function impliedTags({ unions }: CsharpContext, object: SdkObject): readonly (readonly [string, string])[] {
  const tags = new Map<string, string>();
  for (const { discriminator, variants } of unions.get(object.id) ?? []) {
    if (discriminator === undefined || object.properties.some(({ wireName }) => wireName === discriminator)) continue;
    const tag = variants.find(({ type }) => type.kind === 'named' && type.id === object.id)?.tags[0];
    if (tag !== undefined && !tags.has(discriminator)) tags.set(discriminator, tag);
  }
  return [...tags];
}
