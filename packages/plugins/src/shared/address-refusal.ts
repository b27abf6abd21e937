import { problemAnswer } from './problem.ts';

/** What a client is told whose address may not pass: which list said so is for the operator alone. */
export const addressRefusal = problemAnswer({
  status: 403,
  code: 'forbidden',
  title: 'Forbidden',
  detail: 'this address may not send this request',
});
