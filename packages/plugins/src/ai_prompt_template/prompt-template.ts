import { isJsonObject, withMembers, type BodyEdits } from '@portcullis/ai-router';
import type { ChatRequest } from '../shared/chat/chat-request.ts';
import { Conversation, type AddedMessage } from '../shared/chat/conversation.ts';
import type { Config } from './config.ts';

/** What a template makes of a request. */
export type Templated = BodyEdits | 'missing_messages' | 'too_long';

/**
 * Compiles a template. In this order: settings that the client left out, `model`, `metadata`, what stands around the user's last text, the
 * messages before and after, and what the model is told first.
 */
export function promptTemplate(given: Config): (request: ChatRequest) => Templated {
  const { user_prefix: prefix = '', user_suffix: suffix = '', max_prompt_chars: charactersMax } = given;
  const told: readonly AddedMessage[] =
    given.system_prompt === undefined ? [] : [{ role: 'system', content: given.system_prompt }];
  const before = [...told, ...(given.prepend_messages ?? [])];
  const after = given.append_messages ?? [];
  const changesMessages = before.length > 0 || after.length > 0 || prefix !== '' || suffix !== '';
  return (request) => {
    const conversation = Conversation.of(request);
    if (conversation === undefined) return 'missing_messages';
    if (prefix !== '' || suffix !== '') conversation.surroundLastUser(prefix, suffix);
    conversation.add(before, 'start');
    conversation.add(after, 'end');
    const messages = changesMessages ? conversation.edits() : [];
    if (charactersMax !== undefined && isLonger(withMembers(request.body, messages), charactersMax)) return 'too_long';
    return [...settings(given, request), ...messages];
  };
}

function settings({ defaults = {}, model, metadata }: Config, { body }: ChatRequest): BodyEdits {
  const missing = Object.entries(defaults).filter(([name]) => !Object.hasOwn(body, name) && name !== 'model');
  const asked = model ?? (Object.hasOwn(body, 'model') ? undefined : defaults['model']);
  const known = Object.hasOwn(body, 'metadata') && isJsonObject(body['metadata']) ? body['metadata'] : {};
  return [
    ...missing,
    ...(asked === undefined ? [] : [['model', asked] as const]),
    ...(metadata === undefined ? [] : [['metadata', { ...known, ...metadata }] as const]),
  ];
}

/** Members of a request that hold what a model reads. */
const SAID = ['messages', 'input', 'system', 'instructions'] as const;

/** Whether the texts of the messages have more characters than that. Strings of parts and of calls of tools count, names of members do not. */
function isLonger(body: Readonly<Record<string, unknown>>, charactersMax: number): boolean {
  let left = charactersMax;
  const count = (value: unknown): void => {
    if (left < 0) return;
    if (typeof value === 'string') left -= codePoints(value);
    else if (Array.isArray(value)) value.forEach(count);
    else if (isJsonObject(value)) {
      const isCoded = value['type'] === 'base64';
      for (const [name, inner] of Object.entries(value))
        if (!FORMAL.has(name) && !(isCoded && name === 'data')) count(inner);
    }
  };
  for (const name of SAID) count(body[name]);
  return left < 0;
}

/** Members that say what a part is and not what is said. */
const FORMAL: ReadonlySet<string> = new Set(['role', 'type', 'id', 'image_url', 'input_audio', 'file']);

/** Characters of a text; the second half of a pair is none of its own. */
function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}
