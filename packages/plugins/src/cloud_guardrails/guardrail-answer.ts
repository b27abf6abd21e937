import { isJsonObject } from '@portcullis/ai-router';
import { ServiceError } from '../shared/chat/json-service.ts';

/** What a guardrail says of the texts of one call. Source: AWS, ApplyGuardrail. */
export type GuardrailVerdict =
  | { readonly action: 'pass' }
  | { readonly action: 'blocked' }
  /** It put others in the texts' places, one for each. */
  | { readonly action: 'masked'; readonly texts: readonly string[] };

const PASS: GuardrailVerdict = Object.freeze({ action: 'pass' });
const BLOCKED: GuardrailVerdict = Object.freeze({ action: 'blocked' });

/**
 * Reads an answer. It counts as masked when no policy says that it blocked, and there is a text for each that was sent.
 * @throws ServiceError for what is none
 */
export function guardrailVerdict(answer: unknown, textCount: number): GuardrailVerdict {
  const action = isJsonObject(answer) ? answer['action'] : undefined;
  if (!isJsonObject(answer) || (action !== 'NONE' && action !== 'GUARDRAIL_INTERVENED')) {
    throw new ServiceError('the guardrail', 'no_action');
  }
  if (action === 'NONE') return PASS;
  const outputs: readonly unknown[] = Array.isArray(answer['outputs']) ? answer['outputs'] : [];
  const texts = outputs.flatMap((output) =>
    isJsonObject(output) && typeof output['text'] === 'string' ? [output['text']] : [],
  );
  if (texts.length !== textCount || saysBlocked(answer['assessments'], DEPTH_MAX)) return BLOCKED;
  return { action: 'masked', texts };
}

/** Levels of assessments: policy, list, finding. */
const DEPTH_MAX = 16;

function saysBlocked(value: unknown, depth: number): boolean {
  if (depth === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => saysBlocked(inner, depth - 1));
  if (!isJsonObject(value)) return false;
  return value['action'] === 'BLOCKED' || Object.values(value).some((inner) => saysBlocked(inner, depth - 1));
}
