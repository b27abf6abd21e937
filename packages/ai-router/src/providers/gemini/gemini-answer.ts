import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { type AnswerCall, type AnswerChoice, chatAnswer } from '../chat-form/chat-answer.ts';
import { MalformedAnswerError } from '../errors.ts';
import { geminiParts, isPromptBlocked } from './gemini-content.ts';
import { geminiFinishReason, geminiUsage } from './gemini-usage.ts';

/**
 * An answer of `generateContent` as a chat's. A prompt that was blocked is an empty answer with `content_filter`.
 * @param newId makes IDs for calls, and for the answer where Gemini gives none
 * @throws MalformedAnswerError for what is no such answer
 */
export function geminiChatAnswer(call: AdapterCall, body: JsonObject, newId: () => string): ReadAnswer {
  const { responseId, modelVersion } = body;
  return chatAnswer({
    id: typeof responseId === 'string' ? responseId : `chatcmpl-${newId()}`,
    createdMs: call.nowMs,
    model: typeof modelVersion === 'string' ? modelVersion : call.model,
    choices: readCandidates(body).map((candidate) => readChoice(candidate, newId)),
    usage: geminiUsage(body['usageMetadata']),
  });
}

function readCandidates(body: JsonObject): readonly JsonObject[] {
  const candidates = body['candidates'] ?? [];
  if (!Array.isArray(candidates) || !candidates.every(isJsonObject)) {
    throw new MalformedAnswerError('the answer has no candidates');
  }
  if (candidates.length > 0) return candidates;
  if (isPromptBlocked(body)) return [{ finishReason: 'SAFETY' }];
  throw new MalformedAnswerError('the answer has no candidates');
}

function readChoice(candidate: JsonObject, newId: () => string): AnswerChoice {
  const parts = geminiParts(candidate);
  const calls = parts.flatMap((part): readonly AnswerCall[] =>
    part.type === 'call' ? [{ ...part, id: part.id ?? `call_${newId()}` }] : [],
  );
  const finishReason = geminiFinishReason(candidate['finishReason'], calls.length > 0);
  if (finishReason === undefined) throw new MalformedAnswerError('the model failed');
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.type === 'thought' ? [part.text] : [])).join(''),
    calls,
    finishReason,
  };
}
