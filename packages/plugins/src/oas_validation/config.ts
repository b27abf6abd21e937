import * as v from 'valibot';
import { maxBodyBytes } from '../shared/bodies/body-fields.ts';
import { ENTRIES_MAX, configObject, flag, text, wholeNumber, writtenHeaderName } from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';
import { JSON_LENGTH_MAX, readSpec, type ReadSpec } from './description/read-spec.ts';

/** Longest base path, in characters. */
const BASE_PATH_LENGTH_MAX = 1024;

const given = v.union(
  [
    v.pipe(v.string('must be text'), v.maxLength(JSON_LENGTH_MAX, `must have at most ${JSON_LENGTH_MAX} characters`)),
    v.pipe(
      v.record(text('Field of the description', 256), v.unknown(), 'must be an object'),
      v.maxEntries(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
    ),
  ],
  'must be an OpenAPI description: an object, or its JSON or YAML text',
);

/** What is wrong is told at its place in an object, and by pointer and line in a text. */
const spec = v.pipe(
  given,
  v.description('OpenAPI description 3.0, 3.1 or 3.2: an object, or its JSON or YAML text'),
  v.rawTransform<v.InferOutput<typeof given>, ReadSpec>(({ dataset, addIssue, NEVER }) => {
    const read = readSpec(dataset.value);
    if ('description' in read) return read;
    for (const { pointer, message } of read) {
      if (typeof dataset.value === 'string')
        addIssue({ message: `${pointer === '' ? '' : `at ${pointer}, `}${message}` });
      else addIssue({ message, ...pathOf(dataset.value, pointer) });
    }
    return NEVER;
  }),
);

function pathOf(document: unknown, pointer: string): { readonly path?: [v.UnknownPathItem, ...v.UnknownPathItem[]] } {
  let input = document;
  const [first, ...rest] = pointer
    .split('/')
    .slice(1)
    .map((step): v.UnknownPathItem => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const holder = typeof input === 'object' && input !== null ? input : {};
      const value: unknown = Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined;
      const item = { type: 'unknown', origin: 'value', input, key, value } as const;
      input = value;
      return item;
    });
  return first === undefined ? {} : { path: [first, ...rest] };
}

const status = (description: string, preset: number) => v.optional(wholeNumber(description, 400, 599), preset);

/** Config of `oas_validation`. */
export const config = crossFieldRule(
  configObject({
    spec,
    base_path: v.optional(
      v.pipe(
        text('Path before those of the description. Default: those of its servers', BASE_PATH_LENGTH_MAX),
        v.regex(/^\/[^?#\s]*$/, 'must be a path that begins with /'),
      ),
    ),
    validate_request: v.optional(flag('Whether requests are checked'), true),
    validate_response: v.optional(flag("Whether services' answers are checked, where the trigger is both"), true),
    strict: v.optional(
      flag('Whether what is not described is refused: paths, methods, query parameters, bodies and statuses'),
      false,
    ),
    max_body_bytes: maxBodyBytes(
      'Bytes of the largest body that is checked, as sent and decoded; a larger one is refused',
    ),
    status_code: status('Status of answers to requests that are not as described', 400),
    response_status_code: status('Status in the place of an answer that is not as described', 502),
    error_header: v.optional(
      writtenHeaderName('Header of such answers that says the place and the rule. Default: none'),
    ),
  }),
  ({ validate_request: request, validate_response: response }) =>
    !request && !response ? [{ field: 'validate_response', message: 'leaves nothing to check' }] : [],
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
