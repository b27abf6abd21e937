import type { Refusal } from '../balancing/roster.ts';
import { problems, type GatewayProblem } from './problems.ts';

/** What the client is told when a request can go nowhere. Source: wire contract, Value forms, Routes; otherwise as Kong does. */
export const problemsOfRefusal: Readonly<Record<Refusal, GatewayProblem>> = {
  closed: {
    status: 503,
    code: 'tls_incomplete',
    detail: 'a certificate that the service needs for its upstream is not there',
  },
  no_target: problems.noTarget,
  unresolved: { status: 503, code: 'name_unresolved', detail: 'the name of the upstream cannot be resolved' },
  unusable: { status: 503, code: 'no_target', detail: 'no target of the upstream is healthy' },
  below_threshold: { status: 503, code: 'no_target', detail: 'too few targets of the upstream are healthy' },
};
