import { renderProblem, problems } from '../proxy/problems.ts';
import type { ServerCall } from '../transport/server-transport.ts';

/** In place of the request's ID while the answer is made once for all. */
const placeOfId = '{request_id}';

const { headers, body } = renderProblem(problems.overloaded, placeOfId);
const [before = '', after = ''] = body.split(placeOfId);

/** Refuses a request before anything is done for it. The connection stays: a new one would cost more than this answer. */
export function shed(call: ServerCall, requestId: string): void {
  call.respond(problems.overloaded.status, headers, `${before}${requestId}${after}`, false);
}
