/** Makes IDs of requests whose caller gave none; a UUID version 7 in production. */
export type NewId = () => string;

/** The form of a request ID that is harmless in logs, headers and pages. */
export const requestIdForm = /^[A-Za-z0-9._~-]{1,128}$/;

/**
 * The ID that a request goes by: the caller's `X-Request-ID` when its form is harmless in logs and headers, else a new
 * one. Source: spec, Endpoints, Conventions.
 */
export function requestIdOf(given: string | undefined, newId: NewId): string {
  return given !== undefined && requestIdForm.test(given) ? given : newId();
}
