/** Tokens of one request, as a provider reports them. Source: ai, Token accounting. */
export interface Usage {
  /** All tokens of the prompt, those read from the provider's cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the prompt's tokens, those that the provider had in its cache. */
  readonly cachedInputTokens?: number;
}
