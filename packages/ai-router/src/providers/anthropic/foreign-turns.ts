import { isJsonObject } from '../../json.ts';
import { strictCallId } from '../chat-form/call-ids.ts';

/** Blocks that tell which call they belong to, and by what name. */
const callIdNames: ReadonlyMap<unknown, string> = new Map([
  ['tool_use', 'id'],
  ['tool_result', 'tool_use_id'],
]);

/**
 * Messages of a conversation in which other vendors' models answered, as Anthropic takes them; the very same value when there is nothing to
 * change. Thoughts without a signature are left out, because Anthropic refuses what its own models did not sign; IDs of calls that it would refuse
 * become digests, the same for a call and its result. What is no list of messages is the provider's to judge.
 */
export function withoutForeignTurns(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  let isChanged = false;
  const changed: unknown[] = [];
  for (const message of messages) {
    const own: unknown = changedMessage(message);
    isChanged ||= own !== message;
    if (own !== undefined) changed.push(own);
  }
  return isChanged ? changed : messages;
}

/** @returns `undefined` for a message of which nothing is left: Anthropic refuses empty ones, and takes two of a user that follow each other */
function changedMessage(message: unknown): unknown {
  const content = isJsonObject(message) ? message['content'] : undefined;
  if (!isJsonObject(message) || !Array.isArray(content) || !content.some(isForeign)) return message;
  const blocks = content.filter((block) => !isUnsigned(block)).map(withTakenId);
  return blocks.length === 0 ? undefined : { ...message, content: blocks };
}

function isForeign(block: unknown): boolean {
  return isUnsigned(block) || withTakenId(block) !== block;
}

function isUnsigned(block: unknown): boolean {
  return isJsonObject(block) && block['type'] === 'thinking' && (block['signature'] ?? '') === '';
}

function withTakenId(block: unknown): unknown {
  if (!isJsonObject(block)) return block;
  const name = callIdNames.get(block['type']);
  const id = name === undefined ? undefined : block[name];
  if (name === undefined || typeof id !== 'string') return block;
  const taken = strictCallId(id);
  return taken === id ? block : { ...block, [name]: taken };
}
