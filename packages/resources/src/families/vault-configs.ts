import * as v from 'valibot';
import type { FieldEntries } from '../family.ts';
import { maxCharacters, minCharacters } from '../text-length.ts';

/** Kinds of vaults. */
export const vaultDrivers = ['env', 'file', 'hashicorp'] as const;

/** See {@link vaultDrivers}. */
export type VaultDriver = (typeof vaultDrivers)[number];

/** Seconds that a gateway may keep a secret it read. */
export const vaultTtlSeconds = { min: 0, max: 86_400, default: 60 } as const;
/** Characters of a vault's address or folder. */
const addressLengthMax = 2048;
const folderLengthMax = 512;
/** Characters of an access token. Tokens of a batch type have some hundreds. */
const tokenLengthMax = 4096;

const isPlainSegment = (segment: string): boolean => /^[A-Za-z0-9._-]{1,128}$/.test(segment) && !/^\.+$/.test(segment);

/** Whether a text is a folder below another one, whatever the operating system makes of it. */
export function isRelativeFolder(text: string): boolean {
  return text.length <= folderLengthMax && text.split('/').every(isPlainSegment);
}

/** Whether a text is the address of a vault: http or https, nothing secret and nothing to cut off in it. */
export function isVaultAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isWeb && text.length <= addressLengthMax && !url.username && !url.password && !/[?#\s\\]/.test(text);
}

const path = (about: string) =>
  v.pipe(
    v.string(),
    v.check(isRelativeFolder, 'must be names of a-z A-Z 0-9 . _ - with / between'),
    v.description(about),
  );

const configs: Readonly<Record<VaultDriver, v.GenericSchema>> = {
  env: strict({
    prefix: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the beginning of a variable name'),
        v.description('Put before the names of variables'),
      ),
    ),
  }),
  file: strict({
    directory: v.optional(path("Folder of the secrets below the tenant's folder in PORTCULLIS_FILE_VAULT_DIR")),
  }),
  hashicorp: strict({
    address: v.pipe(
      v.string(),
      v.check(isVaultAddress, 'must be an http or https address without user, password, query or fragment'),
      v.description('Address of the server'),
    ),
    token: v.pipe(
      v.string(),
      minCharacters(1),
      maxCharacters(tokenLengthMax),
      v.regex(/^[\x21-\x7E]+$/, 'must be printable ASCII without spaces'),
      v.description('Access token; sealed at rest, reads show a mask'),
    ),
    mount: v.optional(path('Where the secrets engine is mounted'), 'secret'),
    kv_version: v.optional(v.pipe(v.picklist([1, 2]), v.description('Version of the key-value engine')), 2),
    namespace: v.optional(path('Namespace of the server')),
    ttl_seconds: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(vaultTtlSeconds.min, `must be at least ${vaultTtlSeconds.min}`),
        v.maxValue(vaultTtlSeconds.max, `must be at most ${vaultTtlSeconds.max}`),
        v.description('Seconds that a secret is kept once it was read'),
      ),
      vaultTtlSeconds.default,
    ),
  }),
};

/** The schema of a driver's `config`; unknown fields are refused. `undefined` for a driver that is none. */
export function vaultConfigSchema(driver: unknown): v.GenericSchema | undefined {
  const known = vaultDrivers.find((candidate) => candidate === driver);
  return known && configs[known];
}

function strict(entries: FieldEntries): v.GenericSchema {
  return v.strictObject(entries);
}
