/** What a `vault://` reference names. */
export interface Reference {
  /** Prefix of the vault. */
  readonly vault: string;
  /** Path of the secret in its vault: one plain name, or several with `/` between. */
  readonly secret: string;
  /** Which value of the secret; `undefined` for the secret as a whole. */
  readonly key: string | undefined;
}

/** Characters of a reference. */
export const REFERENCE_LENGTH_MAX = 512;

/** Names in a secret's path. */
export const SECRET_SEGMENTS_MAX = 8;

const SCHEME = 'vault://';
const PREFIX = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME = /^[A-Za-z0-9._-]{1,128}$/;
const DOTS = /^\.+$/;

/**
 * Reads `vault://prefix/secret[/key]`. Of more than two names the last is the key and those before it are the secret's path; a slash
 * at the end says that there is no key. Nothing is decoded or normalised: a name is letters, digits, `.`, `_` and `-`, and never dots alone.
 * Source: wire contract, Certificates, consumers, vaults.
 * @returns `undefined` for a text that is no reference
 */
export function parseReference(text: string): Reference | undefined {
  if (text.length > REFERENCE_LENGTH_MAX || !text.startsWith(SCHEME)) return undefined;
  const [vault = '', ...names] = text.slice(SCHEME.length).split('/');
  const hasNoKey = names.at(-1) === '' || names.length === 1;
  const last = names.pop() ?? '';
  const path = hasNoKey && last !== '' ? [last] : names;
  const key = hasNoKey ? undefined : last;
  const isWhole = PREFIX.test(vault) && path.length > 0 && path.length <= SECRET_SEGMENTS_MAX && path.every(isName);
  return isWhole && (key === undefined || isName(key)) ? { vault, secret: path.join('/'), key } : undefined;
}

/**
 * Reads `env://NAME`: a variable of the process, without a vault. Source: decisions, 19.
 * @returns the name, or `undefined` for a text that is no such reference
 */
export function parseEnvReference(text: string): string | undefined {
  return text.startsWith(ENV_SCHEME) ? ENV_REFERENCE.exec(text)?.[1] : undefined;
}

const ENV_SCHEME = 'env://';
const ENV_REFERENCE = /^env:\/\/([A-Za-z_][A-Za-z0-9_]{0,255})$/;

/** Whether a text may stand between the slashes of a reference, and as one name in a path. */
export function isName(text: string): boolean {
  return NAME.test(text) && !DOTS.test(text);
}
