import type { HeaderEdit } from './header-view.ts';

/** What no longer holds once a plugin put another body in place. Its length is known. */
const BODY_REPLACED: readonly HeaderEdit[] = [
  { op: 'remove', name: 'transfer-encoding' },
  { op: 'remove', name: 'trailer' },
];

/** How the header fields follow a body that a plugin put in place. @param encoding checked by {@link checkedEncoding} */
export function fieldsOfBody({ length }: Uint8Array, encoding: string | undefined): readonly HeaderEdit[] {
  return [
    ...BODY_REPLACED,
    encoding === undefined
      ? { op: 'remove', name: 'content-encoding' }
      : { op: 'set', name: 'content-encoding', value: encoding },
    { op: 'set', name: 'content-length', value: String(length) },
  ];
}

/** @throws TypeError for what names no coding */
export function checkedEncoding(encoding: unknown): void {
  if (encoding === undefined || (typeof encoding === 'string' && /^[a-z\d-]{1,32}$/.test(encoding))) return;
  throw new TypeError('bodyEncoding is the name of a content coding');
}
