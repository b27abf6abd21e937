import type { JsonObject } from '../../json.ts';
import type { Usage } from '../../usage.ts';
import type { ReadAnswer } from '../adapter.ts';
import { answerJson } from './json-text.ts';
import { chatUsage } from './chat-usage.ts';

/** Why a model stopped, as OpenAI names it. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** A call of a tool in an answer. */
export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly thoughtSignature?: string;
}

/** One answer of a model. */
export interface AnswerChoice {
  readonly text: string;
  /** What the model thought, where the provider tells it: `reasoning_content`, as clients of such models know it. */
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly finishReason: FinishReason;
}

/** What a provider answered, before it is in anybody's form. */
export interface ProviderAnswer {
  readonly id: string;
  readonly createdMs: number;
  readonly model: string;
  readonly choices: readonly AnswerChoice[];
  readonly usage: Usage | undefined;
}

/**
 * An answer in the form `chat`.
 * @throws MalformedAnswerError for input of a tool that is nested too deeply
 */
export function chatAnswer(answer: ProviderAnswer): ReadAnswer {
  const { id, createdMs, model, usage } = answer;
  const choices = answer.choices.map(chatChoice);
  const body: JsonObject = {
    id,
    object: 'chat.completion',
    created: Math.floor(createdMs / 1000),
    model,
    choices: choices.map(({ choice }) => choice),
    ...(usage !== undefined && { usage: chatUsage(usage) }),
  };
  const finishReason = answer.choices[0]?.finishReason;
  return {
    body,
    isOriginal: false,
    model,
    textLength: choices.reduce((sum, { textLength }) => sum + textLength, 0),
    ...(finishReason !== undefined && { finishReason }),
    ...(usage !== undefined && { usage }),
  };
}

function chatChoice(choice: AnswerChoice, index: number): { readonly choice: JsonObject; readonly textLength: number } {
  const { text, reasoning, finishReason } = choice;
  const calls = choice.calls.map(chatCall);
  const message: JsonObject = {
    role: 'assistant',
    // OpenAI writes null where a model only called tools.
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(({ call }) => call) }),
  };
  return {
    choice: { index, message, logprobs: null, finish_reason: finishReason },
    textLength: calls.reduce((sum, { textLength }) => sum + textLength, text.length + reasoning.length),
  };
}

function chatCall(call: AnswerCall): { readonly call: JsonObject; readonly textLength: number } {
  const { id, name, input, thoughtSignature } = call;
  const args = answerJson(input);
  const given = {
    id,
    type: 'function',
    function: { name, arguments: args },
    ...(thoughtSignature !== undefined && { extra_content: { google: { thought_signature: thoughtSignature } } }),
  };
  return { call: given, textLength: args.length };
}
