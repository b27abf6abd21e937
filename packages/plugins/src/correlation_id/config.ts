import * as v from 'valibot';
import { configObject, flag, writtenHeaderName } from '../shared/config-fields.ts';
import { crossFieldRule, sameOrAbsent } from '../shared/config-rules.ts';

/** Config of `correlation_id`. */
export const config = crossFieldRule(
  configObject({
    header_name: v.optional(
      writtenHeaderName('Request header that carries the ID to the upstream'),
      'X-Correlation-ID',
    ),
    allow_client_override: v.optional(flag("Whether a client's own ID is kept; otherwise it is always replaced"), true),
    echo_response: v.optional(
      flag('Whether the response carries the ID as well. When absent: only if response_header_name is given'),
    ),
    echo_downstream: v.optional(flag("Another name of echo_response, which is Kong's")),
    response_header_name: v.optional(writtenHeaderName('Response header that carries the ID; header_name when absent')),
  }),
  (fields) => sameOrAbsent(fields, 'echo_response', 'echo_downstream'),
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
