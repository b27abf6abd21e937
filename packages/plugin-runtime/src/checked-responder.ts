import type { Responder } from './responder.ts';

/** What an edit names. It is called as it was given: responders may be instances of a class. @throws TypeError for what is no responder */
export function checkedResponder(given: Responder): Responder {
  const isResponder = typeof given === 'object' && given !== null && typeof given.respond === 'function';
  if (!isResponder) throw new TypeError('a responder is an object with a function respond');
  return given;
}
