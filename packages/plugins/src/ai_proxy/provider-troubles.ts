import { readProvider, type Attempt } from '@portcullis/ai-router';
import type { PluginServices } from '@portcullis/plugin-runtime';
import type { Config } from './config.ts';

/** Without a failure for so long, a provider that answers works again: one that fails now and then has not two lines for each time. */
export const QUIET_MS = 30_000;

/** Classes of one provider that have a line of their own; providers choose the words of some. */
export const CLASSES_MAX = 16;
const OTHER_CLASS = 'other';

/** Statuses that say that the provider does not know its client: no client can help that. */
const lockedOut: ReadonlySet<number | null> = new Set([401, 403]);

interface Trouble {
  readonly classes: Set<string>;
  lastFailureMs: number;
}

/**
 * Tells in the log when attempts at a provider begin to fail, once for each class of errors, and when they work again. A process
 * tells for itself. What clients did wrong is no trouble of a provider.
 */
export class ProviderTroubles {
  readonly #services: Pick<PluginServices, 'clock' | 'log'>;
  /** Names of variables and vault entries, never what they hold. */
  readonly #references: ReadonlyMap<string, readonly string[]>;
  /** By provider: as many as the config has at most. */
  readonly #troubles = new Map<string, Trouble>();

  constructor(providers: Config['providers'], services: Pick<PluginServices, 'clock' | 'log'>) {
    this.#services = services;
    this.#references = new Map(providers.map((config) => [config.name, referencesOf(config)]));
  }

  /** Takes the attempts of one request in. */
  note(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) {
      if (isFailure(attempt)) this.#fail(attempt);
      else if (attempt.outcome === 'success') this.#succeed(attempt.provider);
    }
  }

  #fail({ provider, outcome, status, error_class: given }: Attempt): void {
    const references = this.#references.get(provider);
    if (references === undefined) return;
    const { clock, log } = this.#services;
    let trouble = this.#troubles.get(provider);
    if (trouble === undefined) {
      trouble = { classes: new Set(), lastFailureMs: 0 };
      this.#troubles.set(provider, trouble);
    }
    trouble.lastFailureMs = clock.monotonicMs();
    const word = given ?? outcome;
    const { classes } = trouble;
    const errorClass = classes.has(word) || classes.size < CLASSES_MAX ? word : OTHER_CLASS;
    if (classes.has(errorClass)) return;
    classes.add(errorClass);
    log.warn('requests to an AI provider fail', {
      provider,
      outcome,
      error_class: errorClass,
      ...(status !== null && { status }),
      ...(errorClass === 'credential_unavailable' && { references: references.join(', ') }),
    });
  }

  #succeed(provider: string): void {
    const trouble = this.#troubles.get(provider);
    if (trouble === undefined) return;
    const { clock, log } = this.#services;
    if (clock.monotonicMs() - trouble.lastFailureMs < QUIET_MS) return;
    this.#troubles.delete(provider);
    log.warn('an AI provider answers again', { provider, failed_with: [...trouble.classes].join(', ') });
  }
}

function isFailure({ outcome, status, retryable }: Attempt): boolean {
  if (outcome === 'provider_error') return retryable || lockedOut.has(status);
  return outcome !== 'success' && outcome !== 'skipped' && outcome !== 'client_closed';
}

function referencesOf(config: Config['providers'][number]): readonly string[] {
  return Object.values(readProvider(config).secrets).flatMap((secret) =>
    secret?.from === 'reference' ? [secret.reference] : [],
  );
}
