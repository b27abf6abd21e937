import { IntegrationError, type IntegrationFailure } from '../integration-error.ts';

/** Codes that hosts give, and those of Node's own fetch that are no broken connection. */
const byCode: ReadonlyMap<string, readonly [IntegrationFailure, string]> = new Map([
  ['refused', ['refused', 'the address may not be called']],
  ['timeout', ['timeout', 'the system did not answer in time']],
  ['too_large', ['too_large', 'the answer is longer than the driver takes']],
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'the system could not be connected to in time']],
  ['UND_ERR_HEADERS_TIMEOUT', ['timeout', 'the system did not answer in time']],
  ['UND_ERR_BODY_TIMEOUT', ['timeout', 'the system did not answer in time']],
  ['UND_ERR_HEADERS_OVERFLOW', ['too_large', "the answer's head is longer than can be taken"]],
]);

/** How deep an error's causes are looked through. */
const CAUSES_MAX = 4;

/** What a failed fetch means. Of the error only its code is told: messages name addresses, and may quote headers. */
export function connectionFailure(error: unknown): IntegrationError {
  if (error instanceof IntegrationError) return error;
  const codes = codesOf(error);
  for (const code of codes) {
    const known = byCode.get(code);
    if (known) return new IntegrationError(...known);
  }
  const telling = codes.find((code) => /^[A-Z][A-Z0-9_]{2,63}$/.test(code));
  return new IntegrationError(
    'unreachable',
    telling === undefined ? 'no whole answer came' : `no whole answer came (${telling})`,
  );
}

function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let at = error;
  for (let depth = 0; depth < CAUSES_MAX && at instanceof Error; depth += 1) {
    if ('code' in at && typeof at.code === 'string') codes.push(at.code);
    at = at.cause;
  }
  return codes;
}
