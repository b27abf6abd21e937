import type { Surface } from '../surface.ts';
import { chatToMessage } from './chat-to-message.ts';
import { MessageStream } from './message-stream.ts';
import { messagesToChat } from './messages-request.ts';

/** Clients of Anthropic's Messages API on providers that speak `chat`. */
export const messagesSurface: Surface = {
  operation: 'messages',
  toChat: messagesToChat,
  fromChat: chatToMessage,
  openStream: (request) => new MessageStream(request),
};
