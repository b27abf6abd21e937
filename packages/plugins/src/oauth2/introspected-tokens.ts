import type { PluginServices } from '@portcullis/plugin-runtime';
import { FailureBudget } from '../shared/failure-budget.ts';
import { SharedCalls } from '../shared/shared-calls.ts';
import { WaitingRoom } from '../shared/waiting-room.ts';
import type { ActiveToken } from './introspection-answer.ts';
import { Introspector, type IntrospectionEndpoint } from './introspector.ts';
import { grantOf, type GrantRules, type TokenFault, type TokenGrant } from './token-grant.ts';
import { TokenMemory } from './token-memory.ts';

/** How far a token may lie in the future, in milliseconds: the issuer's clock may be ahead of ours, and it says the token is active. */
export const NOT_BEFORE_LEEWAY_MS = 30_000;

/** Why an endpoint is not asked: too many requests wait for it, or too many tokens of the client's network were not active. */
export type NotAsked = 'too_many_waiting' | 'too_many_inactive';

/** A token that somebody presented. */
export interface PresentedToken {
  readonly token: string;
  readonly digest: string;
  /** Who pays when it is not active. */
  readonly network: string;
}

/**
 * What an endpoint says of tokens, and said a short time ago. A token that several requests present at once is asked for once.
 * Whether a token has expired since the endpoint was asked is for the caller to see. Tokens that are not active are paid for by the
 * network that they come from, and few requests wait at a time: so nobody who makes tokens up keeps out who has one.
 */
export class IntrospectedTokens {
  readonly #clock: PluginServices['clock'];
  readonly #rules: GrantRules;
  readonly #introspector: Introspector;
  readonly #room = new WaitingRoom();
  readonly #budget = new FailureBudget();
  readonly #calls = new SharedCalls<TokenGrant | TokenFault>();
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

  /** What a token gives, or why it gives nothing, where the endpoint was asked a short time ago. */
  find(digest: string): TokenGrant | TokenFault | undefined {
    return this.#memory?.find(digest, this.#clock.monotonicMs());
  }

  /**
   * Asks the endpoint.
   * @param signal of the request that asks: others who wait for the same token go on waiting
   * @returns what the token gives, or why it gives nothing; at once, why the endpoint is not asked
   * @throws as {@link Introspector.ask}
   */
  ask(presented: PresentedToken, signal: () => AbortSignal): Promise<TokenGrant | TokenFault> | NotAsked {
    const { digest, network } = presented;
    if (this.#room.isFull(network)) return 'too_many_waiting';
    if (!this.#calls.has(digest) && !this.#budget.take(network, this.#clock.monotonicMs())) {
      return 'too_many_inactive';
    }
    return this.#room.hold(
      network,
      this.#calls.wait(digest, signal(), (ending) => this.#ask(presented, ending)),
    );
  }

  async #ask({ token, digest, network }: PresentedToken, signal: AbortSignal): Promise<TokenGrant | TokenFault> {
    // Whoever leaves before the answer has made the endpoint work all the same.
    let isFailure = false;
    try {
      const said = await this.#introspector.ask(token, signal);
      const grant = this.#granted(said);
      this.#memory ??= new TokenMemory();
      this.#memory.remember(digest, grant, this.#clock.monotonicMs());
      isFailure = typeof grant === 'string';
      return grant;
    } catch (error) {
      isFailure = signal.aborted;
      throw error;
    } finally {
      if (!isFailure) this.#budget.giveBack(network);
    }
  }

  #granted(said: ActiveToken | undefined): TokenGrant | TokenFault {
    if (said === undefined) return 'inactive';
    if (said.notBefore * 1000 > this.#clock.nowMs() + NOT_BEFORE_LEEWAY_MS) return 'not_yet_valid';
    return grantOf(this.#rules, said.claims, said.expires * 1000);
  }
}
