import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { type AnswerCall, chatAnswer } from '../chat-form/chat-answer.ts';
import { MalformedAnswerError } from '../errors.ts';
import { bedrockFinishReason, bedrockUsage } from './bedrock-usage.ts';

/**
 * An answer of Converse as a chat's.
 * @param id of the answer: Converse gives none
 * @throws MalformedAnswerError for what is no answer of Converse
 */
export function bedrockChatAnswer(call: AdapterCall, body: JsonObject, id: string): ReadAnswer {
  const output = isJsonObject(body['output']) ? body['output']['message'] : undefined;
  const blocks = isJsonObject(output) ? output['content'] : undefined;
  if (!Array.isArray(blocks)) throw new MalformedAnswerError('the answer is none of Converse: it has no content');
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: AnswerCall[] = [];
  for (const block of blocks) {
    if (!isJsonObject(block)) throw new MalformedAnswerError('the content of the answer holds what is no block');
    const { text, toolUse, reasoningContent } = block;
    if (typeof text === 'string') texts.push(text);
    else if (toolUse !== undefined) calls.push(readCall(toolUse));
    else thoughts.push(thoughtOf(reasoningContent));
  }
  return chatAnswer({
    id,
    createdMs: call.nowMs,
    model: call.model,
    choices: [
      {
        text: texts.join(''),
        reasoning: thoughts.join(''),
        calls,
        finishReason: bedrockFinishReason(body['stopReason']),
      },
    ],
    usage: bedrockUsage(body['usage']),
  });
}

function readCall(call: unknown): AnswerCall {
  const { toolUseId, name, input = {} } = isJsonObject(call) ? call : {};
  if (typeof toolUseId !== 'string' || typeof name !== 'string' || !isJsonObject(input)) {
    throw new MalformedAnswerError('a call of a tool has no ID, name or input');
  }
  return { id: toolUseId, name, input };
}

function thoughtOf(content: unknown): string {
  const thought = isJsonObject(content) ? content['reasoningText'] : undefined;
  const text = isJsonObject(thought) ? thought['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
