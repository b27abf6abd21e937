import type { PluginServices } from '@portcullis/plugin-runtime';
import { SharedCalls } from '../shared/shared-calls.ts';
import { Introspector, type IntrospectionEndpoint } from './introspector.ts';
import { grantOf, type GrantRules, type TokenGrant } from './token-grant.ts';
import { TokenMemory } from './token-memory.ts';

/** How far a token may lie in the future, in milliseconds: the issuer's clock may be ahead of ours, and it says the token is active. */
export const NOT_BEFORE_LEEWAY_MS = 30_000;

/**
 * What an endpoint says of tokens, and said a short time ago. A token that several requests present at once is asked for once.
 * Whether a token has expired since the endpoint was asked is for the caller to see.
 */
export class IntrospectedTokens {
  readonly #clock: PluginServices['clock'];
  readonly #rules: GrantRules;
  readonly #introspector: Introspector;
  readonly #calls = new SharedCalls<TokenGrant | undefined>();
  /** Made for the first token: it takes its room at once, and many instances never see one. */
  #memory: TokenMemory | undefined;

  constructor(
    endpoint: IntrospectionEndpoint,
    rules: GrantRules,
    { clock, outbound }: Pick<PluginServices, 'clock' | 'outbound'>,
  ) {
    this.#clock = clock;
    this.#rules = rules;
    this.#introspector = new Introspector(endpoint, outbound);
  }

  /** What an active token gives, where the endpoint was asked a short time ago. */
  find(digest: string): TokenGrant | undefined {
    return this.#memory?.find(digest, this.#clock.monotonicMs());
  }

  /** Whether the endpoint said a short time ago that the token is not active. */
  isInactive(digest: string): boolean {
    return this.#memory?.isInactive(digest, this.#clock.monotonicMs()) ?? false;
  }

  /**
   * Asks the endpoint. @returns `undefined` for a token that is not active, or not yet
   * @param signal of the request that asks: others who wait for the same token go on waiting
   * @throws as {@link Introspector.ask}
   */
  ask(token: string, digest: string, signal: AbortSignal): Promise<TokenGrant | undefined> {
    return this.#calls.wait(digest, signal, async (ending) => {
      const said = await this.#introspector.ask(token, ending);
      const isActive = said !== undefined && said.notBefore * 1000 <= this.#clock.nowMs() + NOT_BEFORE_LEEWAY_MS;
      const grant = isActive ? grantOf(this.#rules, said.claims, said.expires * 1000) : undefined;
      this.#memory ??= new TokenMemory();
      this.#memory.remember(digest, grant, this.#clock.monotonicMs());
      return grant;
    });
  }
}
