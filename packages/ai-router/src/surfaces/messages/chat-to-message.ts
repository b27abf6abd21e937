import { isJsonObject, type JsonObject } from '../../json.ts';
import { objectOfText } from '../../providers/chat-form/json-text.ts';
import { MalformedAnswerError } from '../../providers/errors.ts';
import { messageCallId } from './call-id.ts';
import { messageIdOf, messageModel, messagesUsage, stopReasonOf, wantsThinking } from './stop-reason.ts';

/**
 * A chat's answer as a message. Of several choices the first counts. A call whose arguments were cut off by a limit is left out: nobody
 * may run half a call.
 * @throws MalformedAnswerError for what is no answer of a chat, and for arguments that are no object as JSON
 */
export function chatToMessage(answer: JsonObject, request: JsonObject): JsonObject {
  const choices = answer['choices'];
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  if (!isJsonObject(choice) || !isJsonObject(message)) throw new MalformedAnswerError('the answer has no message');
  const finishReason = choice['finish_reason'];
  const calls = toolUses(message['tool_calls'], answer['id'], finishReason === 'length');
  const { content, refusal, reasoning_content: thought } = message;
  return {
    id: messageIdOf(answer['id']),
    type: 'message',
    role: 'assistant',
    model: messageModel(answer, request),
    content: [
      ...(wantsThinking(request) && isText(thought) ? [{ type: 'thinking', thinking: thought, signature: '' }] : []),
      ...(isText(content) ? [{ type: 'text', text: content }] : []),
      ...(isText(refusal) ? [{ type: 'text', text: refusal }] : []),
      ...calls,
    ],
    stop_reason: stopReasonOf(isText(refusal) ? 'content_filter' : finishReason, calls.length > 0),
    stop_sequence: null,
    usage: messagesUsage(answer['usage']),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function toolUses(calls: unknown, answerId: unknown, isCut: boolean): readonly JsonObject[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw new MalformedAnswerError('the tool calls of the answer are no list');
  return calls.flatMap((call, at) => {
    const given = isJsonObject(call) ? call['function'] : undefined;
    if (!isJsonObject(call) || !isJsonObject(given)) throw new MalformedAnswerError('a tool call has no function');
    const { name, arguments: args = '' } = given;
    const input = typeof args === 'string' ? objectOfText(args) : isJsonObject(args) ? args : undefined;
    if (typeof name !== 'string') throw new MalformedAnswerError('a tool call has no name');
    if (input !== undefined) return [{ type: 'tool_use', id: messageCallId(call['id'], answerId, at), name, input }];
    if (isCut) return [];
    throw new MalformedAnswerError('the arguments of a tool call are no object');
  });
}
