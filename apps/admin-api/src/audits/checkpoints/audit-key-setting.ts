import type { NoteSigner } from '@portcullis/audit-chain';
import { createSigner, privateKeyFromSeed } from '@portcullis/audit-chain';

/** Most keys that are given at once: the one that signs, and those before it until a rotation is through. */
const keysMax = 8;
/** Also the origin of the log, so no longer than a host name. */
const nameForm = /^[A-Za-z0-9][A-Za-z0-9./_-]{0,127}$/;
const seedForm = /^[A-Za-z0-9+/_-]{43}=?$/;

/** The keys of `PORTCULLIS_AUDIT_KEY`, or what is wrong with it: never any of its text. */
export type AuditKeysResult =
  | { readonly ok: true; readonly signers: readonly NoteSigner[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads `name:base64[,name:base64]`: Ed25519 seeds of 32 bytes. The first one signs; the others are keys that signed before,
 * with which a change of key is signed. All have the log's name, which stays when its key changes.
 */
export function parseAuditKeys(text: string): AuditKeysResult {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > keysMax) return { ok: false, message: `must hold at most ${keysMax} keys.` };
  const signers: NoteSigner[] = [];
  for (const [index, entry] of entries.entries()) {
    const refuse = (rule: string): AuditKeysResult => ({ ok: false, message: `entry ${index + 1} ${rule}.` });
    const colon = entry.indexOf(':');
    const name = entry.slice(0, Math.max(colon, 0));
    const seed = entry.slice(colon + 1);
    if (colon === -1) return refuse('is not of the form name:base64');
    if (!nameForm.test(name)) return refuse('has a name that does not match [A-Za-z0-9][A-Za-z0-9./_-]{0,127}');
    if (!seedForm.test(seed)) return refuse('is not 32 bytes of base64');
    const signer = createSigner(name, privateKeyFromSeed(Buffer.from(seed, 'base64')));
    if (signers.some((earlier) => earlier.name !== name))
      return refuse('has another name: a log keeps its name when its key changes');
    if (signers.some((earlier) => earlier.keyId === signer.keyId)) return refuse('repeats an earlier entry');
    signers.push(signer);
  }
  return { ok: true, signers };
}
