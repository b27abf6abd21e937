import type { JsonObject } from '../../json.ts';
import type { ChatData, ChatPart, ChatToolCall, ChatToolResult } from '../chat-form/chat-request.ts';
import { objectOfText } from '../chat-form/json-text.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** Media types of images by the ends of their addresses: Gemini wants to know before it fetches. */
const typesByEnd: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
]);

/** Makes Gemini 3 take a call that another model made. Source: Gemini API, Thought signatures. */
const FOREIGN_CALL_SIGNATURE = 'skip_thought_signature_validator';

/** Contents of a user's turn. Results of tools are one of their own, right behind their calls; what else was said and shown is another. */
export function geminiUserContents(parts: readonly (ChatPart | ChatToolResult)[]): readonly JsonObject[] {
  const results: JsonObject[] = [];
  const others: JsonObject[] = [];
  for (const part of parts) {
    if (part.type !== 'tool_result') {
      others.push(mediaPart(part));
      continue;
    }
    results.push(resultPart(part));
    // A function's response is an object: what is no text stands beside it.
    for (const shown of part.parts) if (shown.type !== 'text') others.push(mediaPart(shown));
  }
  return [results, others].flatMap((list) => (list.length === 0 ? [] : [{ role: 'user', parts: list }]));
}

/**
 * Calls of one turn.
 * @param isSigned whether the model refuses calls without a signature; of calls side by side, the first has it
 */
export function geminiCallParts(calls: readonly ChatToolCall[], isSigned: boolean): readonly JsonObject[] {
  return calls.map(({ name, input, thoughtSignature }, index) => {
    const signature = thoughtSignature ?? (isSigned && index === 0 ? FOREIGN_CALL_SIGNATURE : undefined);
    return {
      functionCall: { name, args: input },
      ...(signature !== undefined && { thoughtSignature: signature }),
    };
  });
}

/** Gemini knows results by the function's name; calls have no IDs of their own. */
function resultPart({ name, parts }: ChatToolResult): JsonObject {
  if (name === undefined) throw new UnsupportedRequestError('a tool message answers no call of this conversation');
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const object = text.trim() === '' ? undefined : objectOfText(text);
  return { functionResponse: { name, response: object ?? { output: text } } };
}

function mediaPart(part: ChatPart): JsonObject {
  if (part.type === 'text') return { text: part.text };
  if (part.type === 'data') return { inlineData: { mimeType: mediaTypeOf(part), data: part.data } };
  const end = /\.([a-z]{3,4})(?:[?#]|$)/i.exec(part.url)?.[1]?.toLowerCase();
  const mimeType = end === undefined ? undefined : typesByEnd.get(end);
  if (mimeType === undefined) throw new UnsupportedRequestError('the type of an image cannot be told from its URL');
  return { fileData: { mimeType, fileUri: part.url } };
}

function mediaTypeOf({ mediaType }: ChatData): string {
  return mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
}
