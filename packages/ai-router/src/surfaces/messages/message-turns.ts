import type { JsonObject } from '../../json.ts';
import { fieldOf, objectField, objectsField, requiredString, stringField } from '../../providers/chat-form/field.ts';
import { requestJson } from '../../providers/chat-form/json-text.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import { blocksOf, chatPart } from './message-parts.ts';

/** What tells a model that a tool failed: chats have no field for it. */
const ERROR_LEAD = 'Error: ';

/**
 * The messages of a conversation as a chat's.
 * @throws UnsupportedRequestError
 */
export function chatMessages(body: JsonObject): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  const system = textOf(blocksOf(body, 'system'), '\n\n');
  if (system !== '') messages.push({ role: 'system', content: system });
  for (const message of objectsField(body, 'messages')) {
    switch (stringField(message, 'role')) {
      case 'user':
        addUser(messages, blocksOf(message));
        break;
      case 'assistant':
        addAssistant(messages, blocksOf(message));
        break;
      case 'system':
        messages.push({ role: 'system', content: textOf(blocksOf(message), '\n\n') });
        break;
      default:
        throw new UnsupportedRequestError('role of a message must be user or assistant');
    }
  }
  return messages;
}

function textOf(blocks: readonly JsonObject[], between: string): string {
  const texts = blocks.map((block) => {
    if (stringField(block, 'type') !== 'text') throw new UnsupportedRequestError('system must be text');
    return stringField(block, 'text') ?? '';
  });
  return texts.filter((text) => text !== '').join(between);
}

/** Results of tools become messages of their own, before what else the user says, because chats want them right behind the calls. */
function addUser(messages: JsonObject[], blocks: readonly JsonObject[]): void {
  const said: JsonObject[] = [];
  for (const block of blocks) {
    if (stringField(block, 'type') === 'tool_result') messages.push(toolMessage(block, said));
    else said.push(chatPart(block));
  }
  const [first] = said;
  if (first === undefined) return;
  const isText = said.length === 1 && first['type'] === 'text';
  messages.push({ role: 'user', content: isText ? first['text'] : said });
}

/** Messages of tools hold text alone: images of a result are shown by the user, under the name of the call. */
function toolMessage(block: JsonObject, said: JsonObject[]): JsonObject {
  const id = requiredString(block, 'tool_use_id');
  const texts: string[] = [];
  let isLed = false;
  for (const inner of blocksOf(block)) {
    const part = chatPart(inner);
    if (part['type'] === 'text') {
      texts.push(String(part['text']));
      continue;
    }
    if (!isLed) said.push({ type: 'text', text: `Shown by the tool call ${id}:` });
    isLed = true;
    said.push(part);
  }
  const text = texts.join('\n');
  return { role: 'tool', tool_call_id: id, content: fieldOf(block, 'is_error') === true ? ERROR_LEAD + text : text };
}

/** Thoughts are left out: only the model that had them can read them again. */
function addAssistant(messages: JsonObject[], blocks: readonly JsonObject[]): void {
  let content = '';
  const calls: JsonObject[] = [];
  for (const block of blocks) {
    switch (stringField(block, 'type')) {
      case 'text':
        content += stringField(block, 'text') ?? '';
        break;
      case 'tool_use':
        calls.push(toolCall(block));
        break;
      case 'thinking':
      case 'redacted_thinking':
        break;
      default:
        throw new UnsupportedRequestError('a content block is of a type that this model does not take');
    }
  }
  if (content === '' && calls.length === 0) return;
  messages.push({
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 && { tool_calls: calls }),
  });
}

function toolCall(block: JsonObject): JsonObject {
  return {
    id: requiredString(block, 'id'),
    type: 'function',
    function: { name: requiredString(block, 'name'), arguments: requestJson(objectField(block, 'input') ?? {}) },
  };
}
