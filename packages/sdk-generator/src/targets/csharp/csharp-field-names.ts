import type { SdkObject } from '../../model/named-types.ts';
import { impliedTags } from '../../model/union-members.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { CsharpContext } from './csharp-context.ts';
import { csharpString } from './csharp-text.ts';

/** What the class and the unions that it is one of have to know of its fields. */
export function fieldNames(context: CsharpContext, object: SdkObject): Lines {
  const isOfUnion = context.unions.has(object.id);
  if (!isOfUnion && (object.additional === undefined || object.isForm)) return [];
  const known = [
    ...object.properties.map(({ wireName }) => wireName),
    ...impliedTags(context.unions, object).map(([name]) => name),
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
