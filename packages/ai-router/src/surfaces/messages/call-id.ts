import { hash } from 'node:crypto';
import { strictCallId } from '../../providers/chat-form/call-ids.ts';

/**
 * The ID of a call in a message. Clients send it back in later turns, which another provider may be asked for, Anthropic among them: it has
 * the form that Anthropic takes. Where the provider gave none it is made of the answer's ID, so that calls of several answers of a conversation
 * are told apart.
 * @param answerId the chat's
 * @param at which call of the answer it is
 */
export function messageCallId(id: unknown, answerId: unknown, at: number): string {
  if (typeof id === 'string' && id !== '') return strictCallId(id);
  return `toolu_${hash('sha256', `${typeof answerId === 'string' ? answerId : ''}:${at}`).slice(0, 40)}`;
}
