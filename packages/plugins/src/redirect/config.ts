import * as v from 'valibot';
import { configObject, flag, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, sameOrAbsent } from '../shared/config-rules.ts';
import { readTarget } from './target.ts';

/** Longest target, in characters. */
const TARGET_LENGTH_MAX = 2048;

/** Statuses that send a client elsewhere. Source: RFC 9110, 15.4. */
export const redirectStatuses = [301, 302, 303, 307, 308] as const;

const fields = configObject({
  location: v.optional(target('Another name of `url`')),
  preserve_path: v.optional(flag("Whether the request's path follows that of the target"), false),
  preserve_query: v.optional(flag("Whether the request's query follows that of the target"), false),
  status_code: v.optional(
    v.pipe(
      v.picklist(redirectStatuses, `must be one of ${redirectStatuses.join(', ')}`),
      v.description('Status of the answer'),
    ),
    302,
  ),
  url: v.optional(target('Where clients are sent: an `http://` or `https://` address, or a path on the same host')),
});

/** Config of `redirect`. */
export const config = crossFieldRule(requireOneOf(fields, ['url', 'location']), (settings) =>
  sameOrAbsent(settings, 'url', 'location'),
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function target(description: string) {
  return v.pipe(
    text(description, TARGET_LENGTH_MAX),
    v.rawCheck<string>(({ dataset, addIssue }) => {
      if (!dataset.typed || dataset.value.length > TARGET_LENGTH_MAX) return;
      const read = readTarget(dataset.value);
      if (typeof read === 'string') addIssue({ message: read });
    }),
  );
}
