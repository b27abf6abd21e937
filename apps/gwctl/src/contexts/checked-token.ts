import { CommandFailure } from '../failure.ts';

/**
 * A bearer token without the space around it. @param source what to name in the failure: the token itself is never shown
 * @throws CommandFailure for a text that no request header can carry
 */
export function checkedToken(given: string, source: string): string {
  const token = given.trim();
  if (!isToken(token)) throw new CommandFailure(`${source} is not a token`);
  return token;
}

/** Whether a request header can carry a text as a bearer token. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7E]+$/.test(text);
}
