import { isJsonObject, type BodyEdits, type JsonObject } from '@portcullis/ai-router';
import type { ChatRequest } from './chat-request.ts';

/** Who may say something that a config adds. */
export const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant'] as const;

/** What a config adds to a conversation. */
export interface AddedMessage {
  readonly role: (typeof MESSAGE_ROLES)[number];
  readonly content: string;
}

/** Where something is added. */
export type AddedPlace = 'start' | 'after_system' | 'before_user' | 'end';

/** Between what systems are told by several. */
const BETWEEN_SYSTEM_TEXTS = '\n\n';

/**
 * The messages of a request in one of the forms that have some: OpenAI's chats and responses, Anthropic's messages. The last two tell
 * systems beside the messages; what is added for a system goes there.
 */
export class Conversation {
  readonly #list: 'messages' | 'input';
  readonly #beside: 'system' | 'instructions' | undefined;
  readonly #messages: unknown[];
  #system: unknown;
  #isSystemChanged = false;

  private constructor(request: ChatRequest, messages: readonly unknown[]) {
    const { operation, body } = request;
    this.#list = operation === 'responses' ? 'input' : 'messages';
    this.#beside = operation === 'responses' ? 'instructions' : operation === 'messages' ? 'system' : undefined;
    this.#messages = [...messages];
    this.#system = this.#beside === undefined ? undefined : body[this.#beside];
  }

  /** `undefined` for a request without messages, or of a form that has none. */
  static of(request: ChatRequest): Conversation | undefined {
    const { operation, body } = request;
    if (operation === 'embeddings' || operation === 'completions') return undefined;
    const given = body[operation === 'responses' ? 'input' : 'messages'];
    if (operation === 'responses' && typeof given === 'string' && given !== '') {
      return new Conversation(request, [{ role: 'user', content: given }]);
    }
    return Array.isArray(given) && given.length > 0 ? new Conversation(request, given) : undefined;
  }

  /** Adds messages, in their order. Those for systems go beside the messages where the form wants it. */
  add(added: readonly AddedMessage[], place: AddedPlace): void {
    const isSystem = ({ role }: AddedMessage): boolean => role === 'system' || role === 'developer';
    const beside = this.#beside === undefined ? [] : added.filter(isSystem);
    if (beside.length > 0)
      this.#tellSystem(
        beside.map(({ content }) => content),
        place,
      );
    const rest = this.#beside === undefined ? added : added.filter((one) => !isSystem(one));
    this.#messages.splice(this.#indexOf(place), 0, ...rest.map(({ role, content }) => ({ role, content })));
  }

  /** What the user said last, its parts joined; `undefined` when that is no text. */
  get lastUserText(): string | undefined {
    const message = this.#messages[this.#lastUser()];
    if (!isJsonObject(message)) return undefined;
    const { content } = message;
    if (typeof content === 'string') return content;
    const texts = Array.isArray(content) ? content.filter(isTextPart).map((part) => String(part['text'])) : [];
    return texts.length === 0 ? undefined : texts.join('\n');
  }

  /** Puts something around what the user said last. */
  surroundLastUser(prefix: string, suffix: string): void {
    const at = this.#lastUser();
    const message = this.#messages[at];
    if (!isJsonObject(message)) return;
    this.#messages[at] = { ...message, content: surrounded(message['content'], prefix, suffix, this.#list) };
  }

  /** Members of the body that say it now. */
  edits(): BodyEdits {
    const messages = [this.#list, this.#messages] as const;
    return this.#isSystemChanged && this.#beside !== undefined ? [messages, [this.#beside, this.#system]] : [messages];
  }

  /** The last message of a user that has text; the last of a user where none has. */
  #lastUser(): number {
    const isUser = (message: unknown): boolean => isJsonObject(message) && message['role'] === 'user';
    const withText = this.#messages.findLastIndex((message) => isUser(message) && hasText(message));
    return withText === -1 ? this.#messages.findLastIndex(isUser) : withText;
  }

  #indexOf(place: AddedPlace): number {
    if (place === 'start') return 0;
    if (place === 'end') return this.#messages.length;
    if (place === 'before_user') {
      const at = this.#lastUser();
      return at === -1 ? this.#messages.length : at;
    }
    const first = this.#messages.findIndex(
      (message) => !isJsonObject(message) || (message['role'] !== 'system' && message['role'] !== 'developer'),
    );
    return first === -1 ? this.#messages.length : first;
  }

  #tellSystem(texts: readonly string[], place: AddedPlace): void {
    const given = this.#system;
    const isFirst = place === 'start';
    this.#isSystemChanged = true;
    if (Array.isArray(given)) {
      const blocks: readonly JsonObject[] = texts.map((text) => ({ type: 'text', text }));
      this.#system = isFirst ? [...blocks, ...given] : [...given, ...blocks];
      return;
    }
    const before = typeof given === 'string' && given !== '' ? [given] : [];
    this.#system = (isFirst ? [...texts, ...before] : [...before, ...texts]).join(BETWEEN_SYSTEM_TEXTS);
  }
}

function hasText(message: unknown): boolean {
  const content = isJsonObject(message) ? message['content'] : undefined;
  return typeof content === 'string' || (Array.isArray(content) && content.some(isTextPart));
}

function isTextPart(part: unknown): part is JsonObject {
  return isJsonObject(part) && typeof part['text'] === 'string';
}

function surrounded(content: unknown, prefix: string, suffix: string, list: 'messages' | 'input'): unknown {
  if (typeof content === 'string') return `${prefix}${content}${suffix}`;
  const parts: unknown[] = Array.isArray(content) ? [...content] : [];
  const first = parts.findIndex(isTextPart);
  if (first === -1) return [{ type: list === 'input' ? 'input_text' : 'text', text: `${prefix}${suffix}` }, ...parts];
  const change = (at: number, changed: (text: string) => string): void => {
    const part = parts[at];
    if (isTextPart(part)) parts[at] = { ...part, text: changed(String(part['text'])) };
  };
  change(first, (text) => `${prefix}${text}`);
  change(parts.findLastIndex(isTextPart), (text) => `${text}${suffix}`);
  return parts;
}
