/** `src/runtime/forms.ts`: bodies of forms. */
export const formsText: string = String.raw`import type { Codec } from './codec.ts';
import { InvalidRequestError } from './errors.ts';
import { pairsOf, textOf, type QueryStyle } from './text.ts';

/** Raw content, as a body or in a file. */
export type Content = Blob | ArrayBuffer | Uint8Array;

/** A file in a form. A ${'`File`'} brings its name and its type. */
export type FilePart = Blob | { readonly content: Content; readonly fileName?: string; readonly contentType?: string };

/** A field of a form. Files have no codec. */
export interface FormField {
  readonly wire: string;
  readonly name: string;
  readonly codec: Codec<unknown> | undefined;
  readonly isRequired: boolean;
  readonly kind: 'text' | 'json' | 'file';
  readonly contentType: string | undefined;
  readonly style: QueryStyle;
  readonly isExploded: boolean;
}

type Values = Readonly<Record<string, unknown>>;

function valueOf(field: FormField, values: Values): unknown {
  const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  const isAbsent = value === undefined || value === null;
  if (isAbsent && field.isRequired) throw new InvalidRequestError(${'`body.${field.name}`'}, 'is required');
  return isAbsent ? undefined : field.codec === undefined ? value : field.codec.write(value, ${'`body.${field.name}`'});
}

/** A body of application/x-www-form-urlencoded. */
export function urlEncoded(fields: readonly FormField[], values: object): string {
  const search = new URLSearchParams();
  for (const field of fields) {
    const value = valueOf(field, values as Values);
    if (value === undefined) continue;
    const { wire, kind, style, isExploded } = field;
    const pairs = pairsOf(wire, value, kind === 'json' ? 'json' : style, isExploded);
    for (const { name, texts, between } of pairs) search.append(name, texts.join(between));
  }
  return search.toString();
}

export function asBlob(content: Content, type = ''): Blob {
  return content instanceof Blob && type === '' ? content : new Blob([content as BlobPart], { type });
}

/** A body of multipart/form-data, with its type. Source: RFC 7578. */
export function multipart(fields: readonly FormField[], values: object): { readonly body: Blob; readonly contentType: string } {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const boundary = ${"`form-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`"};
  const pieces: (string | Blob)[] = [];
  for (const field of fields) {
    const value = valueOf(field, values as Values);
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (one === null && field.kind === 'text') continue;
      const { head, content } = partOf(field, one);
      pieces.push(${'`--${boundary}\\r\\n${head}\\r\\n\\r\\n`'}, content, '\r\n');
    }
  }
  pieces.push(${'`--${boundary}--\\r\\n`'});
  return { body: new Blob(pieces), contentType: ${'`multipart/form-data; boundary=${boundary}`'} };
}

function partOf(field: FormField, value: unknown): { readonly head: string; readonly content: string | Blob } {
  const { wire, name, kind, contentType } = field;
  const disposition = ${'`Content-Disposition: form-data; name="${escaped(wire)}"`'};
  if (kind !== 'file') {
    const content = kind === 'json' ? JSON.stringify(value) : textOf(value);
    return { head: contentType === undefined ? disposition : ${'`${disposition}\\r\\nContent-Type: ${contentType}`'}, content };
  }
  const file = value instanceof Blob ? { content: value } : (value as Exclude<FilePart, Blob>);
  const { content } = file;
  if (!(content instanceof Blob || content instanceof ArrayBuffer || content instanceof Uint8Array)) {
    throw new InvalidRequestError(${'`body.${name}`'}, 'expected a Blob, an ArrayBuffer or a Uint8Array, with or without a name');
  }
  const own = content instanceof Blob ? content : undefined;
  const ownName = own !== undefined && 'name' in own && typeof own.name === 'string' ? own.name : undefined;
  const fileName = ('fileName' in file ? file.fileName : undefined) ?? ownName ?? 'file';
  const given = ('contentType' in file ? file.contentType : undefined) ?? (own?.type === '' ? undefined : own?.type);
  const type = given ?? contentType ?? 'application/octet-stream';
  if (!/^[\x20-\x7e]+$/.test(type)) throw new InvalidRequestError(${'`body.${name}`'}, 'has a content type that no header can have');
  return {
    head: ${'`${disposition}; filename="${escaped(fileName)}"\\r\\nContent-Type: ${type}`'},
    content: asBlob(content),
  };
}

/** Source: HTML, multipart form data. */
function escaped(name: string): string {
  return name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22');
}
`;
