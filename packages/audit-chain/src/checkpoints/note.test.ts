import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  createSigner,
  formatCheckpoint,
  NOTE_BYTES_MAX,
  NoteError,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  privateKeyFromSeed,
  signNote,
} from '../index.ts';

/** The key and note of the documentation of Go's golang.org/x/mod/sumdb/note. */
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PRIVATE = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const NOTE = `${TEXT}\n${LINE}`;
const known = [parseVerifierKey(VERIFIER)];
const other = createSigner('witness.example', privateKeyFromSeed(Buffer.alloc(32, 1)));

function failureOf(note: string): string | undefined {
  try {
    openNote(note, known);
    return undefined;
  } catch (error) {
    if (error instanceof NoteError) return error.code;
    throw error;
  }
}

it('signs and opens the published note byte for byte', () => {
  const seed = Buffer.from(PRIVATE.split('+').slice(4).join('+'), 'base64').subarray(1);
  const signer = createSigner('PeterNeumann', privateKeyFromSeed(seed));
  expect(signer.verifierKey).toBe(VERIFIER);
  expect(signNote(TEXT, signer)).toBe(NOTE);
  expect(openNote(NOTE, known)).toEqual({ text: TEXT, signedBy: ['PeterNeumann+c74f20a3'] });
});

it('passes over signatures of unknown keys, and over further ones of a known key', () => {
  const line = signNote(TEXT, other).slice(TEXT.length + 1);
  expect(openNote(`${TEXT}\n${line}${LINE}${LINE}`, known).signedBy).toEqual(['PeterNeumann+c74f20a3']);
  const both = [...known, parseVerifierKey(other.verifierKey)];
  expect(openNote(`${TEXT}\n${line}${LINE}`, both).signedBy).toEqual([
    `witness.example+${other.keyId}`,
    'PeterNeumann+c74f20a3',
  ]);
});

it.each([
  ['another text', NOTE.replace('answer', 'Answer'), 'invalid_signature'],
  ['another signature', NOTE.replace('UG/S', 'UG/T'), 'invalid_signature'],
  ['a signature of another length', `${TEXT}\n— PeterNeumann x08gowAA\n`, 'invalid_signature'],
  ['another name', NOTE.replace('— PeterNeumann', '— PeterNeuman'), 'unverified'],
  ['another key ID', NOTE.replace('x08go', 'y08go'), 'unverified'],
  ['a key that nobody knows', signNote(TEXT, other), 'unverified'],
  ['no signature', `${TEXT}\n`, 'malformed'],
  ['no empty line', TEXT, 'malformed'],
  ['no line break at the end', NOTE.slice(0, -1), 'malformed'],
  ['a hyphen for the dash', NOTE.replace('— ', '- '), 'malformed'],
  ['base64 in another spelling', NOTE.replace('nAM=', 'nAN='), 'malformed'],
  ['a control character', NOTE.replace('If', 'I\u0007'), 'malformed'],
  ['a carriage return', NOTE.replaceAll('\n', '\r\n'), 'malformed'],
  ['a lone surrogate', NOTE.replace('If', '\ud800'), 'malformed'],
  ['too many signatures', `${TEXT}\n${LINE.repeat(101)}`, 'malformed'],
  ['too much text', `${'x'.repeat(NOTE_BYTES_MAX)}\n\n${LINE}`, 'malformed'],
])('refuses a note with %s', (_what, note, code) => {
  expect(failureOf(note)).toBe(code);
});

it.each([
  ['no key', ''],
  ['another key ID', VERIFIER.replace('c74f20a3', 'c74f20a4')],
  ['another name', VERIFIER.replace('Peter', 'Pete')],
  ['another algorithm', VERIFIER.replace('+ARpc', '+AhpC')],
  ['a short key', VERIFIER.slice(0, -8)],
  ['a space in its name', VERIFIER.replace('PeterN', 'Peter N')],
])('refuses a verifier key with %s', (_what, text) => {
  expect(() => parseVerifierKey(text)).toThrow(TypeError);
});

it('signs with Ed25519 only, under names that notes can carry', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => createSigner('audit.example', privateKey)).toThrow('Ed25519');
  const { privateKey: good } = generateKeyPairSync('ed25519');
  expect(createSigner('audit.example', good.export({ format: 'pem', type: 'pkcs8' }) as string).keyId).toMatch(
    /^[0-9a-f]{8}$/,
  );
  for (const name of ['', 'a b', 'a+b', 'a\n']) expect(() => createSigner(name, good)).toThrow('name of a key');
  expect(() => privateKeyFromSeed(Buffer.alloc(31))).toThrow('32 bytes');
  expect(() => signNote('no line break', other)).toThrow(NoteError);
});

it('reads the checkpoints that it writes, with extensions behind them', () => {
  const checkpoint = { origin: 'example.com/audit', size: 12, root: 'ab'.repeat(32) };
  const text = formatCheckpoint(checkpoint);
  expect(text).toBe('example.com/audit\n12\nq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=\n');
  expect(parseCheckpoint(`${text}extension\n`)).toEqual(checkpoint);
  expect(() => formatCheckpoint({ ...checkpoint, origin: 'a\nb' })).toThrow(NoteError);
  expect(() => formatCheckpoint({ ...checkpoint, size: -1 })).toThrow(NoteError);
  for (const bad of [
    text.replace('12', '012'),
    text.replace('12', '-1'),
    text.replace('12', '1e2'),
    text.replace('q6s=', 'q6t='),
    'a\n1\n',
    `\n${text}`,
  ]) {
    expect(() => parseCheckpoint(bad)).toThrow(NoteError);
  }
});
