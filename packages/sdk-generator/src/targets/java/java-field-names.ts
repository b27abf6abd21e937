import type { SdkObject } from '../../model/named-types.ts';
import { impliedTags } from '../../model/union-members.ts';
import type { Lines } from '../../source-text/lines.ts';
import type { JavaContext } from './java-context.ts';
import type { JavaFile } from './java-file.ts';
import { javaString } from './java-text.ts';

/** What the class and the unions that it is one of have to know of its fields. */
export function fieldNames(file: JavaFile, context: JavaContext, object: SdkObject): Lines {
  const isOfUnion = context.unions.has(object.id);
  if (!isOfUnion && (object.additional === undefined || object.isForm)) return [];
  const set = file.use('java.util.Set');
  const known = [
    ...object.properties.map(({ wireName }) => wireName),
    ...impliedTags(context.unions, object).map(([name]) => name),
  ];
  const required = object.properties.filter(({ isRequired }) => isRequired).map(({ wireName }) => wireName);
  const list = isOfUnion ? file.use('java.util.List') : '';
  return [
    `static final ${set}<String> KNOWN = ${set}.of(${known.map(javaString).join(', ')});`,
    isOfUnion && `static final ${list}<String> REQUIRED = ${list}.of(${required.map(javaString).join(', ')});`,
    '',
  ];
}
