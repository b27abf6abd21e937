import type { JsonObject } from '../../json.ts';
import type { ChatData, ChatPart, ChatToolResult } from '../chat-form/chat-request.ts';
import { strictCallId } from '../chat-form/call-ids.ts';
import { UnsupportedRequestError } from '../errors.ts';

/** Formats of Converse by media type. */
const imageFormats: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const documentFormats: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);

/** A part of a user's turn as a content block. */
export function bedrockBlock(part: ChatPart | ChatToolResult): JsonObject {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image_url':
      throw new UnsupportedRequestError('this provider takes images as data: URLs only');
    case 'data':
      return dataBlock(part);
    case 'tool_result':
      return { toolResult: { toolUseId: strictCallId(part.callId), content: part.parts.map(bedrockBlock) } };
  }
}

function dataBlock(part: ChatData): JsonObject {
  const source = { bytes: part.data };
  const image = part.kind === 'image' ? imageFormats.get(part.mediaType) : undefined;
  if (image !== undefined) return { image: { format: image, source } };
  const document = part.kind === 'file' ? documentFormats.get(part.mediaType) : undefined;
  if (document !== undefined) return { document: { format: document, name: documentName(part.name), source } };
  throw new UnsupportedRequestError('this provider takes images as JPEG, PNG, GIF or WebP, and files as PDF or text');
}

/** Converse takes letters, digits, single spaces, hyphens and brackets, and wants a name. */
function documentName(name: string | undefined): string {
  const taken = (name ?? '').replaceAll(/[^A-Za-z0-9()[\]-]+/g, ' ').trim();
  return taken === '' ? 'document' : taken.slice(0, 200);
}
