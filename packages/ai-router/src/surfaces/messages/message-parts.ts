import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../../providers/errors.ts';
import { fieldOf, objectsField, requiredObject, requiredString, stringField } from '../../providers/chat-form/field.ts';

/** Content blocks of a message; a text alone is one of them. */
export function blocksOf(message: JsonObject, name = 'content'): readonly JsonObject[] {
  const content = fieldOf(message, name);
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsField(message, name);
}

/**
 * A block of a user as a part of a chat's content. `cache_control` is left out: what a provider caches is its own affair.
 * @throws UnsupportedRequestError for blocks that chats have no place for
 */
export function chatPart(block: JsonObject): JsonObject {
  switch (stringField(block, 'type')) {
    case 'text':
      return { type: 'text', text: stringField(block, 'text') ?? '' };
    case 'image':
      return { type: 'image_url', image_url: { url: imageUrl(requiredObject(block, 'source')) } };
    case 'document':
      return documentPart(block, requiredObject(block, 'source'));
    default:
      throw new UnsupportedRequestError('a content block is of a type that this model does not take');
  }
}

function imageUrl(source: JsonObject): string {
  switch (stringField(source, 'type')) {
    case 'base64':
      return dataUrl(source);
    case 'url':
      return requiredString(source, 'url');
    default:
      throw new UnsupportedRequestError('an image must come as base64 or as a URL');
  }
}

function documentPart(block: JsonObject, source: JsonObject): JsonObject {
  const title = stringField(block, 'title');
  switch (stringField(source, 'type')) {
    case 'text':
      return { type: 'text', text: requiredString(source, 'data') };
    case 'base64':
      return { type: 'file', file: { filename: title ?? 'document.pdf', file_data: dataUrl(source) } };
    default:
      throw new UnsupportedRequestError('a document must come as text or as base64');
  }
}

function dataUrl(source: JsonObject): string {
  return `data:${requiredString(source, 'media_type')};base64,${requiredString(source, 'data')}`;
}
