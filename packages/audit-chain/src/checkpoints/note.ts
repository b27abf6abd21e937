import { KEY_ID_BYTES, SIGNATURE_BYTES, type NoteSigner, type NoteVerifier } from './note-key.ts';

/** A note longer than this is not looked at. */
export const NOTE_BYTES_MAX: number = 64 * 1024;
/** A note of more signatures is not looked at. */
export const NOTE_SIGNATURES_MAX = 100;

/** `malformed`: no note. `unverified`: no signature of a known key. `invalid_signature`: one of a known key that does not fit. */
export type NoteFailure = 'malformed' | 'unverified' | 'invalid_signature';

/** Why a note was not opened. The message names no key material. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
  readonly code: NoteFailure;

  constructor(code: NoteFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** A note whose signature was checked. */
export interface OpenedNote {
  /** What was signed, with its last line break. */
  readonly text: string;
  /** The keys that signed it and were checked, as `name+keyid`. At least one. */
  readonly signedBy: readonly string[];
}

/** Signs a text that ends in a line break: the text, an empty line, one line for each signer. Source: C2SP signed-note. */
export function signNote(body: string, ...signers: readonly NoteSigner[]): string {
  if (!isBody(body))
    throw new NoteError('malformed', 'what is signed ends in a line break and has no control characters');
  const lines = signers.map((signer) => {
    const signature = Buffer.concat([Buffer.from(signer.keyId, 'hex'), signer.sign(body)]);
    return `— ${signer.name} ${signature.toString('base64')}\n`;
  });
  return `${body}\n${lines.join('')}`;
}

/**
 * Checks a note's signatures. Those of unknown keys are passed over; one of a known key has to fit. Throws a NoteError.
 * Source: C2SP signed-note.
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote {
  const { text, signatures } = splitNote(note);
  const signedBy = new Set<string>();
  for (const { name, keyId, signature } of signatures) {
    const verifier = verifiers.find((known) => known.name === name && known.keyId === keyId);
    if (verifier === undefined || signedBy.has(`${name}+${keyId}`)) continue;
    if (signature.length !== SIGNATURE_BYTES || !verifier.verify(text, signature)) {
      throw new NoteError('invalid_signature', `the signature of ${name}+${keyId} does not fit the note`);
    }
    signedBy.add(`${name}+${keyId}`);
  }
  if (signedBy.size === 0) throw new NoteError('unverified', 'no known key signed the note');
  return { text, signedBy: [...signedBy] };
}

/** A line of signature, not checked yet. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** Takes a note apart and checks nothing but its form. Throws a NoteError. */
export function splitNote(note: string): { readonly text: string; readonly signatures: readonly NoteSignature[] } {
  const cut = note.lastIndexOf('\n\n');
  if (note.length > NOTE_BYTES_MAX || cut < 0 || !isBody(note))
    throw new NoteError('malformed', 'this is no signed note');
  const lines = note
    .slice(cut + 2)
    .split('\n')
    .slice(0, -1);
  if (lines.length === 0 || lines.length > NOTE_SIGNATURES_MAX) {
    throw new NoteError('malformed', `a note has 1 to ${NOTE_SIGNATURES_MAX} signatures`);
  }
  return { text: note.slice(0, cut + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (name === '' || name.includes('+') || bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== encoded) {
    throw new NoteError('malformed', 'a line of signature is malformed');
  }
  return { name, keyId: bytes.toString('hex', 0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

/** Well-formed text that ends in a line break, with no other control characters below U+0020. */
function isBody(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return text.endsWith('\n') && text.isWellFormed() && !/[\u0000-\u0009\u000B-\u001F]/u.test(text);
}
