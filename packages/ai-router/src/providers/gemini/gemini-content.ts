import { isJsonObject, type JsonObject } from '../../json.ts';
import { MalformedAnswerError } from '../errors.ts';

/** A part of a model's content that a chat has a place for. */
export type GeminiPart =
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | {
      readonly type: 'call';
      /** Gemini gives one to some calls only. */
      readonly id?: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly thoughtSignature?: string;
    };

/**
 * What a candidate says. One that was stopped says nothing and has no content.
 * @throws MalformedAnswerError for what is none
 */
export function geminiParts(candidate: JsonObject): readonly GeminiPart[] {
  const content = candidate['content'];
  const parts = isJsonObject(content) ? (content['parts'] ?? []) : [];
  if (!Array.isArray(parts)) throw new MalformedAnswerError('the content of a candidate has no parts');
  return parts.flatMap((part) => {
    if (!isJsonObject(part)) throw new MalformedAnswerError('the content of a candidate holds what is no part');
    const { text, thought, functionCall, thoughtSignature } = part;
    if (functionCall !== undefined) return [readCall(functionCall, thoughtSignature)];
    if (typeof text !== 'string' || text === '') return [];
    return [{ type: thought === true ? 'thought' : 'text', text }];
  });
}

function readCall(call: unknown, signature: unknown): GeminiPart {
  const { id, name, args } = isJsonObject(call) ? call : {};
  const input = args ?? {};
  if (typeof name !== 'string' || !isJsonObject(input))
    throw new MalformedAnswerError('a call of a function has no name');
  return {
    type: 'call',
    name,
    input,
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof signature === 'string' && { thoughtSignature: signature }),
  };
}

/** Whether Gemini answered nothing because of what was asked. */
export function isPromptBlocked(body: JsonObject): boolean {
  const feedback = body['promptFeedback'];
  return isJsonObject(feedback) && typeof feedback['blockReason'] === 'string';
}
