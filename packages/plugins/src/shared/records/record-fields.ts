import * as v from 'valibot';
import { ENTRIES_MAX, headerName } from '../config-fields.ts';
import type { HeaderChoice } from './logged-headers.ts';

/** Fields of a config that say what stands in a package's records. */
export const recordFields = {
  request_id_header: v.optional(
    headerName(
      "Request header whose value is the record's request_id; absent, or without that header: the gateway's own ID",
    ),
  ),
  correlation_id_header: v.optional(
    headerName(
      "Request header whose value is the record's correlation_id; absent: what the plugin correlation_id said, else X-Correlation-ID",
    ),
  ),
  include_headers: v.optional(
    v.pipe(
      v.union(
        [
          v.boolean(),
          v.pipe(
            v.array(headerName('A header'), 'must be a list of header names'),
            v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
          ),
        ],
        'must be true, false or a list of header names',
      ),
      v.description(
        'Whether records have the headers of request and answer: all, or those of a list. Credentials are redacted',
      ),
    ),
    false,
  ),
} as const;

/** What a config says of its records. */
export interface RecordConfig {
  readonly request_id_header?: string | undefined;
  readonly correlation_id_header?: string | undefined;
  readonly include_headers: boolean | readonly string[];
}

/** The same, ready for use. */
export interface RecordSettings {
  readonly requestIdHeader: string | undefined;
  readonly correlationIdHeader: string | undefined;
  readonly headers: HeaderChoice;
}

/** The settings of a config. */
export function recordSettings(config: RecordConfig): RecordSettings {
  const { include_headers: headers } = config;
  return {
    requestIdHeader: config.request_id_header,
    correlationIdHeader: config.correlation_id_header,
    headers: typeof headers === 'boolean' ? headers : [...new Set(headers.map((name) => name.toLowerCase()))],
  };
}
