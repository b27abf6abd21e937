import type { Credential, ProviderAdapter } from '../providers/adapter.ts';
import type { Provider, SecretName } from '../providers/provider.ts';

/**
 * Reads the secret that a reference names (`vault://…`, `env://NAME`): at once when it is in memory, else a promise. Throws or rejects when it
 * cannot be had.
 */
export type SecretReader = (reference: string) => string | Promise<string>;

type SecretField = keyof Provider['secrets'];

const secretFields: readonly SecretField[] = ['apiKey', 'accessKeyId', 'secretAccessKey', 'sessionToken'];

/** A provider with its adapter and what it is called with, made once for each configuration. */
export class ProviderSlot {
  readonly provider: Provider;
  readonly adapter: ProviderAdapter;
  readonly #readSecret: SecretReader;
  readonly #references: readonly (readonly [SecretField, string])[];
  /** The credential of the values that were read last: as long as they stay, it is the same object. */
  #known: Credential;

  constructor(provider: Provider, adapter: ProviderAdapter, readSecret: SecretReader) {
    this.provider = provider;
    this.adapter = adapter;
    this.#readSecret = readSecret;
    this.#references = secretFields.flatMap((field) => {
      const name: SecretName | undefined = provider.secrets[field];
      return name?.from === 'reference' ? [[field, name.reference] as const] : [];
    });
    this.#known = Object.freeze(fixedCredential(provider));
  }

  /** @throws what the reader throws, or rejects with it */
  credential(): Credential | Promise<Credential> {
    if (this.#references.length === 0) return this.#known;
    const values = this.#references.map(([, reference]) => this.#readSecret(reference));
    return values.every((value) => typeof value === 'string')
      ? this.#with(values)
      : Promise.all(values.map(async (value) => value)).then((read) => this.#with(read));
  }

  #with(values: readonly string[]): Credential {
    const known = this.#known;
    const fresh: { -readonly [Field in keyof Credential]: Credential[Field] } = { ...known };
    let isKnown = true;
    for (const [index, [field]] of this.#references.entries()) {
      const value = withoutLineBreak(values[index] ?? '');
      isKnown &&= known[field] === value;
      fresh[field] = value;
    }
    if (!isKnown) this.#known = Object.freeze(fresh);
    return this.#known;
  }
}

function fixedCredential({ secrets }: Provider): Credential {
  const fixed: { -readonly [Field in keyof Credential]: Credential[Field] } = {};
  for (const field of secretFields) {
    const name = secrets[field];
    if (name?.from === 'value') fixed[field] = withoutLineBreak(name.value);
  }
  return fixed;
}

/** A line break at the end is that of the file or the form that the secret came from. */
function withoutLineBreak(secret: string): string {
  return secret.endsWith('\n') ? secret.replace(/\r?\n$/, '') : secret;
}
