import type { SdkObject } from '../../model/named-types.ts';
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
    ...impliedTags(context, object).map(([name]) => name),
  ];
  const required = object.properties.filter(({ isRequired }) => isRequired).map(({ wireName }) => wireName);
  const list = isOfUnion ? file.use('java.util.List') : '';
  return [
    `static final ${set}<String> KNOWN = ${set}.of(${known.map(javaString).join(', ')});`,
    isOfUnion && `static final ${list}<String> REQUIRED = ${list}.of(${required.map(javaString).join(', ')});`,
    '',
  ];
}

/** Fields that tell which one of a union an object is, where it does not list them itself. */
export function impliedTags({ unions }: JavaContext, object: SdkObject): readonly (readonly [string, string])[] {
  const tags = new Map<string, string>();
  for (const { discriminator, variants } of unions.get(object.id) ?? []) {
    if (discriminator === undefined || object.properties.some(({ wireName }) => wireName === discriminator)) continue;
    const tag = variants.find(({ type }) => type.kind === 'named' && type.id === object.id)?.tags[0];
    if (tag !== undefined && !tags.has(discriminator)) tags.set(discriminator, tag);
  }
  return [...tags];
}
