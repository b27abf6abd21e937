import type { JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import type { ChatData, ChatPart } from './chat-request.ts';
import { fieldOf, objectsField, requiredObject, requiredString, stringField } from './field.ts';

/**
 * The content of a message: a text or a list of parts. Text of nothing but white space is left out: other providers refuse it, and models
 * write it before calls of tools.
 * @throws UnsupportedRequestError for parts that no other form has
 */
export function readChatParts(message: JsonObject): readonly ChatPart[] {
  const content = fieldOf(message, 'content');
  if (content === undefined) return [];
  const parts: ChatPart[] = [];
  if (typeof content === 'string') {
    const part = textPart(content);
    return part === undefined ? parts : [part];
  }
  for (const part of objectsField(message, 'content')) {
    const read = readPart(part);
    if (read !== undefined) parts.push(read);
  }
  return parts;
}

/**
 * The same, for messages that are text alone.
 * @throws UnsupportedRequestError for other parts
 */
export function readChatTexts(message: JsonObject): readonly string[] {
  return readChatParts(message).map((part) => {
    if (part.type !== 'text')
      throw new UnsupportedRequestError('content of system and assistant messages must be text');
    return part.text;
  });
}

function readPart(part: JsonObject): ChatPart | undefined {
  switch (stringField(part, 'type')) {
    case 'text':
      return textPart(stringField(part, 'text'));
    case 'refusal':
      return textPart(stringField(part, 'refusal'));
    case 'image_url':
      return imagePart(fieldOf(part, 'image_url'), part);
    case 'input_audio':
      return audioPart(requiredObject(part, 'input_audio'));
    case 'file':
      return filePart(requiredObject(part, 'file'));
    default:
      throw new UnsupportedRequestError('a part of a content is of a type that this provider does not take');
  }
}

function textPart(text: string | undefined): ChatPart | undefined {
  return text === undefined || !/\S/.test(text) ? undefined : { type: 'text', text };
}

/** Some clients write the address itself where the object with `url` belongs. */
function imagePart(image: unknown, part: JsonObject): ChatPart {
  const url = typeof image === 'string' ? image : requiredString(requiredObject(part, 'image_url'), 'url');
  return readImageUrl(url);
}

/**
 * An image by its address, which may hold the image itself.
 * @throws UnsupportedRequestError for what is neither `data:` in base64 nor `https:` nor `http:` nor `gs:`
 */
export function readImageUrl(url: string): ChatPart {
  const data = readDataUrl(url, 'image');
  if (data !== undefined) return data;
  if (!/^(?:https?|gs):\/\//i.test(url)) throw new UnsupportedRequestError('an image must be a data: or https: URL');
  return { type: 'image_url', url };
}

function audioPart(audio: JsonObject): ChatPart {
  const format = requiredString(audio, 'format');
  if (!/^[a-z0-9]{1,16}$/.test(format)) throw new UnsupportedRequestError('format of a part of audio is unknown');
  return { type: 'data', kind: 'audio', mediaType: `audio/${format}`, data: requiredString(audio, 'data') };
}

function filePart(file: JsonObject): ChatPart {
  const url = stringField(file, 'file_data');
  const data = url === undefined ? undefined : readDataUrl(url, 'file');
  if (data === undefined) throw new UnsupportedRequestError('a file must come as a data: URL in file_data');
  const name = stringField(file, 'filename');
  return name === undefined ? data : { ...data, name };
}

/** Characters of the head of a data URL: a media type and its parameters. */
const DATA_HEAD_LENGTH_MAX = 256;

function readDataUrl(url: string, kind: ChatData['kind']): ChatData | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const comma = url.slice(0, DATA_HEAD_LENGTH_MAX).indexOf(',');
  const head = comma === -1 ? '' : url.slice('data:'.length, comma);
  const [mediaType = '', ...parameters] = head.toLowerCase().split(';');
  if (!/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(mediaType) || parameters.at(-1) !== 'base64') {
    throw new UnsupportedRequestError('a data: URL must have a media type and be base64');
  }
  return { type: 'data', kind, mediaType, data: url.slice(comma + 1) };
}
