import type { AttemptEnd } from './attempt-log.ts';

/** The class of an answer that is none. */
export const MALFORMED = 'provider_malformed_response';

/** How an attempt ends whose answer is none. @param errorClass why */
export function malformed(status: number | undefined, errorClass: string = MALFORMED): AttemptEnd {
  return { outcome: MALFORMED, status, errorClass, isRetryable: true };
}

/** What codes of transports are called in attempts. */
export const transportClasses: ReadonlyMap<string, string> = new Map([
  ['timeout', 'timeout'],
  ['refused', 'address_refused'],
  ['unreachable', 'unreachable'],
  ['too_large', 'answer_too_large'],
]);

/** The provider's key cannot be had. */
export const noCredential: AttemptEnd = {
  outcome: 'transport_error',
  errorClass: 'credential_unavailable',
  isRetryable: true,
};

/** The request cannot be written for the provider. */
export const unfit: AttemptEnd = { outcome: 'skipped', errorClass: 'request_unfit', isRetryable: true };
