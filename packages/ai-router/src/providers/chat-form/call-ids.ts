import { hash } from 'node:crypto';

/** What Anthropic and Bedrock take for the ID of a call. Source: Anthropic, Messages; Bedrock, ToolUseBlock. */
const TAKEN = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The ID of a call as providers with strict rules take it. Others become a digest, so that a call and its result keep the same one and two
 * calls never share one.
 */
export function strictCallId(id: string): string {
  return TAKEN.test(id) ? id : `call_${hash('sha256', id).slice(0, 40)}`;
}
