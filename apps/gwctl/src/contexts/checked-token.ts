import { CommandFailure } from '../failure.ts';

/**
 * A bearer token without the space around it. @param source what to name in the failure: the token itself is never shown
 * @throws CommandFailure for a text that no request header can carry
 */
export function checkedToken(given: string, source: string): string {
  const token = given.trim();
  if (!/^[\x21-\x7E]+$/.test(token)) throw new CommandFailure(`${source} is not a token`);
  return token;
}
