import type { JsonObject } from '../../json.ts';
import type { ChatData, ChatPart, ChatToolResult } from '../chat-form/chat-request.ts';
import { strictCallId } from '../chat-form/call-ids.ts';
import { UnsupportedRequestError } from '../errors.ts';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** A part of a user's turn as a content block. */
export function anthropicBlock(part: ChatPart | ChatToolResult): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image_url':
      if (!/^https:/i.test(part.url)) throw new UnsupportedRequestError('an image must be a data: or https: URL');
      return { type: 'image', source: { type: 'url', url: part.url } };
    case 'data':
      return dataBlock(part);
    case 'tool_result':
      return resultBlock(part);
  }
}

function dataBlock(part: ChatData): JsonObject {
  const mediaType = part.mediaType === 'image/jpg' ? 'image/jpeg' : part.mediaType;
  const source = { type: 'base64', media_type: mediaType, data: part.data };
  if (part.kind === 'image' && imageTypes.has(mediaType)) return { type: 'image', source };
  if (part.kind === 'file' && mediaType === 'application/pdf') {
    return { type: 'document', source, ...(part.name !== undefined && { title: part.name }) };
  }
  throw new UnsupportedRequestError('this provider takes images as JPEG, PNG, GIF or WebP, and files as PDF');
}

function resultBlock(result: ChatToolResult): JsonObject {
  const content = result.parts.map(anthropicBlock);
  return {
    type: 'tool_result',
    tool_use_id: strictCallId(result.callId),
    ...(content.length > 0 && { content }),
  };
}
