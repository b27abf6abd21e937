import { OctetString } from 'asn1js';
import { AltName, type Extension, type GeneralName } from 'pkijs';
import { shortestAddress, type AlternativeName, type NameKind } from './alternative-names.ts';
import { EXTENSION } from './extension-ids.ts';

/** The alternative names of a certificate, in its order. `undefined` when it has some that nobody can read. */
export function alternativeNamesOf(extensions: ReadonlyMap<string, Extension>): readonly AlternativeName[] | undefined {
  const extension = extensions.get(EXTENSION.alternativeNames);
  if (extension === undefined) return [];
  const { parsedValue } = extension;
  if (!(parsedValue instanceof AltName)) return undefined;
  const names = parsedValue.altNames.map((name) => ({ kind: KINDS[name.type] ?? 'other', text: textOf(name), name }));
  return names.every(
    ({ kind, text }) => text !== undefined && (text !== '' || kind === 'directory' || kind === 'other'),
  )
    ? (names as AlternativeName[])
    : undefined;
}

const KINDS: readonly NameKind[] = ['other', 'email', 'dns', 'other', 'directory', 'other', 'uri', 'ip'];

function textOf({ type, value }: GeneralName): string | undefined {
  const kind = KINDS[type] ?? 'other';
  if (kind === 'ip') return value instanceof OctetString ? addressOf(value.valueBlock.valueHexView) : undefined;
  if (kind === 'other' || kind === 'directory') return '';
  return typeof value === 'string' ? value : undefined;
}

function addressOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  return shortestAddress(
    Buffer.from(bytes)
      .toString('hex')
      .replace(/(.{4})(?!$)/g, '$1:'),
  );
}
