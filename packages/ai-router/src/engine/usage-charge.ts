import { tokensOfText } from '../policy/estimate-tokens.ts';
import type { Provider } from '../providers/provider.ts';
import type { Usage } from '../usage.ts';

/** What a request is charged. */
export interface Charge {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Whether some of it is counted from text, because the provider did not say. */
  readonly isEstimated: boolean;
}

/**
 * Tokens of an answer: the provider's own figures, an explicit zero too. Where it gave none they are counted from text. An answer that broke
 * off counts at least what was seen of it, since a provider tells the whole only at the end. Source: ai, Token accounting.
 * @param textLength characters that the model wrote
 */
export function chargeOf(usage: Usage | undefined, promptTokens: number, textLength: number, isWhole: boolean): Charge {
  const seen = tokensOfText(textLength);
  if (usage === undefined) {
    return { inputTokens: promptTokens, outputTokens: seen, cachedInputTokens: 0, isEstimated: true };
  }
  const isShort = !isWhole && usage.outputTokens < seen;
  return {
    inputTokens: usage.inputTokens,
    outputTokens: isShort ? seen : usage.outputTokens,
    cachedInputTokens: usage.cachedInputTokens ?? 0,
    isEstimated: isShort,
  };
}

const TOKENS_PER_PRICE = 1_000_000;

/** What a charge costs by a provider's pricing, in the operator's currency; `null` without pricing. */
export function costOf(charge: Charge, pricing: Provider['pricing']): number | null {
  if (pricing === undefined) return null;
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = pricing;
  const cached = Math.min(charge.cachedInputTokens, charge.inputTokens);
  const sum =
    (charge.inputTokens - cached) * inputPerMillion +
    cached * cachedInputPerMillion +
    charge.outputTokens * outputPerMillion;
  return sum / TOKENS_PER_PRICE;
}
