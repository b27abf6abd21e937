import { CommandFailure } from '../failure.ts';

/** The answer as what it should be. @throws CommandFailure when it has another shape: the releases do not fit */
export function answerAs<T>(body: unknown, fields: readonly (keyof T & string)[]): T {
  const isComplete = typeof body === 'object' && body !== null && fields.every((field) => field in body);
  if (!isComplete) throw new CommandFailure('the server gave an answer that this release of gwctl does not know');
  return body as T;
}

/** The failure of an address where something else answers: any web server says 200 to something. */
export function notAControlPlane(apiUrl: string): CommandFailure {
  return new CommandFailure(`${apiUrl} does not answer like a Portcullis control plane: check --api-url`);
}
