import * as v from 'valibot';
import { CommandFailure } from '../failure.ts';
import { doubtAfterWrite } from './problem-failure.ts';
import type { Success } from './session.ts';

/**
 * The body of an answer as what it should be; fields that the schema does not name stay.
 * @throws CommandFailure when it has another shape: the releases do not fit. After a write it says that in doubt it happened
 */
export function answerAs<Schema extends v.GenericSchema>(answer: Success, schema: Schema): v.InferInput<Schema> {
  const { body, wasWrite } = answer;
  if (v.is(schema, body)) return body;
  throw new CommandFailure(`${unknownAnswer}${wasWrite ? doubtAfterWrite : ''}`);
}

/** What is said of an answer that nothing can be made of. */
export const unknownAnswer = 'the server gave an answer that this release of gwctl does not know';

/** The failure of an address where something else answers: any web server says 200 to something. */
export function notAControlPlane(apiUrl: string): CommandFailure {
  return new CommandFailure(`${apiUrl} does not answer like a Portcullis control plane: check --api-url`);
}
