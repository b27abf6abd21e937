import { secretFailure, type SecretFailure, type SecretSource } from '@portcullis/plugin-runtime';

/** References that one process keeps the secrets of. Fewer than a `Vaults` keeps, so that reading all of them is no work for a vault. */
export const REFERENCES_MAX = 500;

/** How often it is asked whether a secret is another one, in milliseconds. What is kept for its time to live is not read anew for that. */
export const CHECK_MS = 1000;

/** How long a configuration waits for secrets that nobody has read yet, in milliseconds: somewhat more than a vault has for its answer. */
export const FIRST_READS_MS = 3500;

/** Reads that are waited for at a time, of all vaults; a `Vaults` refuses more than 100. */
const READS_AT_ONCE = 90;

/** Of one vault. */
const READS_OF_VAULT_AT_ONCE = 50;

/** Why a secret cannot be had: the vault's reason, or more references than {@link REFERENCES_MAX}. */
export type SecretTrouble = SecretFailure | 'too_many';

/** What is known of a secret. */
export type KnownSecret = { readonly secret: string } | { readonly trouble: SecretTrouble };

/** What a watch works with. */
export interface SecretWatchPorts {
  readonly source: SecretSource;
  /** Calls back once, unless what it returns is called before. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
  /** A secret that is in use is another one, can be read again, or cannot be read any more. */
  readonly onChange: () => void;
}

/**
 * Knows the secrets that the references of a configuration name, so that they can be put in their places before plugins are set up, and
 * notices when one of them changes. Each vault has turns of its own: one that is silent delays nobody else's rotations. Nothing here is done per request.
 */
export class SecretWatch {
  readonly #ports: SecretWatchPorts;
  readonly #known = new Map<string, KnownSecret>();
  readonly #changed = new Set<string>();
  /** Vaults that are looked at from time to time, with what cancels the next look; nothing while one is under way. */
  readonly #looks = new Map<string, (() => void) | undefined>();
  #isStopped = false;

  constructor(ports: SecretWatchPorts) {
    this.#ports = ports;
  }

  /** What was read last. */
  knownOf(reference: string): KnownSecret {
    return this.#known.get(reference) ?? { trouble: this.#known.size < REFERENCES_MAX ? 'unavailable' : 'too_many' };
  }

  /** The references whose secrets changed since they were last taken. */
  takeChanged(): ReadonlySet<string> {
    const changed = new Set(this.#changed);
    this.#changed.clear();
    return changed;
  }

  /**
   * Reads what is not known, and what the vaults do not keep any more. Waits at most {@link FIRST_READS_MS}, and not at all for what could
   * not be read before: that is looked at again every {@link CHECK_MS} in any case.
   */
  async learn(references: Iterable<string>): Promise<void> {
    const waiting: string[] = [];
    for (const reference of references) {
      const before = this.#known.get(reference);
      if (before === undefined && this.#known.size >= REFERENCES_MAX) continue;
      if (before === undefined) this.#known.set(reference, UNREAD);
      else if ('trouble' in before) continue;
      waiting.push(reference);
    }
    if (waiting.length === 0) return;
    let giveUp: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (giveUp = resolve));
    const cancel = this.#ports.setTimer(giveUp, FIRST_READS_MS);
    const ofVaults = [...Map.groupBy(waiting, vaultOf).values()];
    await Promise.race([late, Promise.all(ofVaults.map((ofVault) => this.#readAll(ofVault)))]);
    cancel();
  }

  /** From now on these are the references in use: others are forgotten, and these looked at from time to time. */
  use(references: ReadonlySet<string>): void {
    for (const reference of this.#known.keys()) if (!references.has(reference)) this.#known.delete(reference);
    for (const vault of this.#vaults()) if (!this.#looks.has(vault)) this.#lookLater(vault);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#looks.values()) cancel?.();
  }

  #vaults(): ReadonlySet<string> {
    return new Set(Array.from(this.#known.keys(), vaultOf));
  }

  #lookLater(vault: string): void {
    this.#looks.set(
      vault,
      this.#ports.setTimer(() => void this.#look(vault), CHECK_MS),
    );
  }

  async #look(vault: string): Promise<void> {
    this.#looks.set(vault, undefined);
    const own = [...this.#known.keys()].filter((reference) => vaultOf(reference) === vault);
    await this.#readAll(own);
    if (this.#changed.size > 0) this.#ports.onChange();
    if (this.#vaults().has(vault) && !this.#isStopped) this.#lookLater(vault);
    else this.#looks.delete(vault);
  }

  /** Reads secrets of one vault, so many at a time as it has when all vaults read alike. */
  async #readAll(references: readonly string[]): Promise<void> {
    const share = Math.floor(READS_AT_ONCE / this.#vaults().size);
    const rest = references.values();
    const run = async (): Promise<void> => {
      for (const reference of rest) await this.#read(reference);
    };
    const runs = Math.min(Math.max(1, share), READS_OF_VAULT_AT_ONCE, references.length);
    await Promise.all(Array.from({ length: runs }, run));
  }

  /** Never rejects. */
  async #read(reference: string): Promise<void> {
    let now: KnownSecret;
    try {
      now = { secret: await this.#ports.source.read(reference) };
    } catch (error) {
      now = { trouble: secretFailure(error) ?? 'unavailable' };
    }
    const before = this.#known.get(reference);
    // Nobody uses it any more.
    if (before === undefined || isSame(before, now)) return;
    this.#known.set(reference, now);
    this.#changed.add(reference);
  }
}

const UNREAD: KnownSecret = { trouble: 'unavailable' };

function isSame(one: KnownSecret, other: KnownSecret): boolean {
  return 'secret' in one
    ? 'secret' in other && one.secret === other.secret
    : 'trouble' in other && one.trouble === other.trouble;
}

/** Whose turn a reference is read in: its vault's; what is no reference to one stands together. */
function vaultOf(reference: string): string {
  return /^vault:\/\/([^/]+)\//.exec(reference)?.[1] ?? '';
}
