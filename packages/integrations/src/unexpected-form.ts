import { IntegrationError } from './integration-error.ts';

/** The failure of an answer that is JSON, and not what was asked for. @param missing the field that it should have */
export function unexpectedForm(request: string, status: number, missing: string): IntegrationError {
  return new IntegrationError('unexpected_answer', `the answer has no ${missing}`, { request, http_status: status });
}
