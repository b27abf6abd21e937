import { isJsonObject, type JsonObject } from '../../json.ts';
import type { AdapterCall, ReadAnswer } from '../adapter.ts';
import { usageBesideCache } from '../chat-form/chat-usage.ts';
import { type AnswerCall, chatAnswer } from '../chat-form/chat-answer.ts';
import { answerJson } from '../chat-form/json-text.ts';
import { MalformedAnswerError } from '../errors.ts';
import { finishReasonOf, readCounts } from './anthropic-usage.ts';

/** What a message holds. Blocks of other types say nothing that a chat has a place for. */
interface MessageContent {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
}

/**
 * A message as a chat's answer.
 * @throws MalformedAnswerError for what is no message
 */
export function anthropicChatAnswer(call: AdapterCall, body: JsonObject): ReadAnswer {
  const content = readContent(body);
  return chatAnswer({
    id: typeof body['id'] === 'string' ? body['id'] : 'msg',
    createdMs: call.nowMs,
    model: modelOf(body) ?? call.model,
    choices: [{ ...content, finishReason: finishReasonOf(body['stop_reason']) }],
    usage: usageBesideCache(readCounts(body['usage'])),
  });
}

/**
 * A message that goes on as it is.
 * @throws MalformedAnswerError for what is no message
 */
export function anthropicMessageAnswer(body: JsonObject): ReadAnswer {
  const { text, reasoning, calls } = readContent(body);
  const usage = usageBesideCache(readCounts(body['usage']));
  const model = modelOf(body);
  // The text is needed only for an estimate.
  const callsLength = usage === undefined ? calls.reduce((sum, { input }) => sum + answerJson(input).length, 0) : 0;
  return {
    body,
    isOriginal: true,
    finishReason: finishReasonOf(body['stop_reason']),
    textLength: text.length + reasoning.length + callsLength,
    ...(usage !== undefined && { usage }),
    ...(model !== undefined && { model }),
  };
}

function modelOf(body: JsonObject): string | undefined {
  return typeof body['model'] === 'string' ? body['model'] : undefined;
}

function readContent(body: JsonObject): MessageContent {
  const blocks = body['content'];
  if (!Array.isArray(blocks)) throw new MalformedAnswerError('the answer is no message: it has no content');
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: AnswerCall[] = [];
  for (const block of blocks) {
    if (!isJsonObject(block)) throw new MalformedAnswerError('the content of the answer holds what is no block');
    if (block['type'] === 'text' && typeof block['text'] === 'string') texts.push(block['text']);
    else if (block['type'] === 'thinking' && typeof block['thinking'] === 'string') thoughts.push(block['thinking']);
    else if (block['type'] === 'tool_use') calls.push(readCall(block));
  }
  return { text: texts.join(''), reasoning: thoughts.join(''), calls };
}

function readCall({ id, name, input = {} }: JsonObject): AnswerCall {
  if (typeof id !== 'string' || typeof name !== 'string' || !isJsonObject(input)) {
    throw new MalformedAnswerError('a call of a tool has no ID, name or input');
  }
  return { id, name, input };
}
