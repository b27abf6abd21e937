import { LOG_PATH, LOG_PATH_LENGTH_MAX } from '@portcullis/plugin-runtime';
import * as v from 'valibot';
import { configObject, text } from '../shared/config-fields.ts';
import { recordFields } from '../shared/records/record-fields.ts';
import { sinkFields } from '../shared/sinks/sink-fields.ts';

/** Config of `file_log`. */
export const config = configObject({
  path: v.pipe(
    text("The file, below the tenant's folder in the gateway's log folder; `/` between its parts", LOG_PATH_LENGTH_MAX),
    v.regex(
      LOG_PATH,
      'must be up to 8 names of letters, digits, dots, dashes and underscores with / between them; none begins with a dot or a dash or ends with a dot and a number',
    ),
  ),
  ...sinkFields,
  ...recordFields,
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
