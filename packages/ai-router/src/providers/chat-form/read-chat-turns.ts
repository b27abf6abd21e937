import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import type { ChatPart, ChatToolCall, ChatToolResult, ChatTurn } from './chat-request.ts';
import { fieldOf, objectField, objectsField, requiredObject, requiredString, stringField } from './field.ts';
import { objectOfText } from './json-text.ts';
import { readChatParts, readChatTexts } from './read-chat-parts.ts';

/** See {@link readChatTurns}. */
export interface ChatConversation {
  readonly system: readonly string[];
  readonly turns: readonly ChatTurn[];
}

/** Lists are filled one by one: a call with as many arguments as a client has parts overflows the stack. */
interface UserTurn {
  readonly role: 'user';
  readonly results: ChatToolResult[];
  readonly parts: ChatPart[];
}
interface AssistantTurn {
  readonly role: 'assistant';
  readonly texts: string[];
  readonly calls: ChatToolCall[];
}

/**
 * The messages of a chat. Messages of one side that follow each other become one turn, results of tools first, because other forms want
 * turns to alternate and results right behind their calls. A chat of system messages alone is what the user says.
 * @throws UnsupportedRequestError
 */
export function readChatTurns(body: JsonObject): ChatConversation {
  const system: string[] = [];
  const turns: (UserTurn | AssistantTurn)[] = [];
  /** Of tools, by the IDs of their calls: the last call of an ID counts. */
  const names = new Map<string, string>();
  for (const message of objectsField(body, 'messages')) {
    switch (stringField(message, 'role')) {
      case 'system':
      case 'developer':
        for (const text of readChatTexts(message)) system.push(text);
        break;
      case 'user':
        for (const part of readChatParts(message)) userTurn(turns).parts.push(part);
        break;
      case 'assistant':
        readAssistant(message, turns, names);
        break;
      case 'tool':
        userTurn(turns).results.push(readResult(message, names));
        break;
      default:
        throw new UnsupportedRequestError('role of a message must be system, developer, user, assistant or tool');
    }
  }
  if (turns.length > 0) return { system, turns: turns.map(asTurn) };
  if (system.length === 0) throw new UnsupportedRequestError('messages must not be empty');
  return { system: [], turns: [{ role: 'user', parts: system.map((text) => ({ type: 'text', text })) }] };
}

function asTurn(turn: UserTurn | AssistantTurn): ChatTurn {
  return turn.role === 'assistant' ? turn : { role: 'user', parts: [...turn.results, ...turn.parts] };
}

function userTurn(turns: (UserTurn | AssistantTurn)[]): UserTurn {
  const last = turns.at(-1);
  if (last?.role === 'user') return last;
  const turn: UserTurn = { role: 'user', results: [], parts: [] };
  turns.push(turn);
  return turn;
}

function assistantTurn(turns: (UserTurn | AssistantTurn)[]): AssistantTurn {
  const last = turns.at(-1);
  if (last?.role === 'assistant') return last;
  const turn: AssistantTurn = { role: 'assistant', texts: [], calls: [] };
  turns.push(turn);
  return turn;
}

function readAssistant(message: JsonObject, turns: (UserTurn | AssistantTurn)[], names: Map<string, string>): void {
  for (const text of readChatTexts(message)) assistantTurn(turns).texts.push(text);
  for (const call of objectsField(message, 'tool_calls')) {
    const read = readCall(call);
    names.set(read.id, read.name);
    assistantTurn(turns).calls.push(read);
  }
}

function readCall(call: JsonObject): ChatToolCall {
  const type = fieldOf(call, 'type');
  if (type !== undefined && type !== 'function') throw new UnsupportedRequestError('only calls of functions are known');
  const given = requiredObject(call, 'function');
  const input = objectOfText(stringField(given, 'arguments') ?? '');
  if (input === undefined) throw new UnsupportedRequestError('arguments of a tool call must be an object as JSON');
  const read: ChatToolCall = { id: requiredString(call, 'id'), name: requiredString(given, 'name'), input };
  const google = objectField(objectField(call, 'extra_content') ?? {}, 'google');
  const thoughtSignature = google === undefined ? undefined : stringField(google, 'thought_signature');
  return thoughtSignature === undefined ? read : { ...read, thoughtSignature };
}

function readResult(message: JsonObject, names: ReadonlyMap<string, string>): ChatToolResult {
  const callId = requiredString(message, 'tool_call_id');
  const name = names.get(callId) ?? stringField(message, 'name');
  return { type: 'tool_result', callId, name, parts: readChatParts(message) };
}
