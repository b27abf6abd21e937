import { expect, it } from 'vitest';
import { createSigner, openNote, parseVerifierKey, privateKeyFromSeed, signNote } from '../index.ts';

/** The key and note of the documentation of Go's golang.org/x/mod/sumdb/note. */
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const PRIVATE = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

it('signs and opens the published note byte for byte', () => {
  const seed = Buffer.from(PRIVATE.split('+').slice(4).join('+'), 'base64').subarray(1);
  const signer = createSigner('PeterNeumann', privateKeyFromSeed(seed));
  expect(signer.verifierKey).toBe(VERIFIER);
  expect(signNote(TEXT, signer)).toBe(NOTE);
  expect(openNote(NOTE, [parseVerifierKey(VERIFIER)])).toEqual({ text: TEXT, signedBy: ['PeterNeumann+c74f20a3'] });
});
