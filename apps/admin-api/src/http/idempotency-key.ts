import type { Operation } from './operation.ts';
import { Problem } from './problem.ts';

/** Longest `Idempotency-Key`. */
export const idempotencyKeyLengthMax = 255;

const form = /^[\x21-\x7e]+$/;

/** The checked `Idempotency-Key` of a request; nothing when none was given. @throws Problem `invalid_parameter` */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (header.length <= idempotencyKeyLengthMax && form.test(header)) return header;
  throw new Problem(
    'invalid_parameter',
    `The header Idempotency-Key must be 1 to ${idempotencyKeyLengthMax} visible ASCII characters`,
  );
}

/** Whether an operation takes an `Idempotency-Key`: the `POST`s that write records. The others ignore it. */
export function takesIdempotencyKey({ method, access }: Pick<Operation, 'method' | 'access'>): boolean {
  return method === 'POST' && (access === 'write' || access === 'administer' || access === 'super_admin');
}
