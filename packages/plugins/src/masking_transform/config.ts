import * as v from 'valibot';
import { JSON_TYPES } from '../shared/bodies/content-types.ts';
import { contentTypes, maxBodyBytes, target } from '../shared/bodies/body-fields.ts';
import { configObject, flag, headerNames, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { jsonPaths } from '../shared/json-path-fields.ts';

const MASKED = [
  'headers',
  'json_paths',
  'request_headers',
  'request_json_paths',
  'response_headers',
  'response_json_paths',
];

/** Config of `masking_transform`. */
export const config = crossFieldRule(
  requireOneOf(
    configObject({
      headers: v.optional(headerNames('Headers of requests and responses whose values are masked')),
      request_headers: v.optional(headerNames('Request headers whose values are masked, beside those of headers')),
      response_headers: v.optional(headerNames('Response headers whose values are masked, beside those of headers')),
      json_paths: v.optional(jsonPaths('Paths to what is masked in JSON bodies of requests and responses', 'replace')),
      request_json_paths: v.optional(jsonPaths('Paths to what is masked in JSON bodies of requests', 'replace')),
      response_json_paths: v.optional(jsonPaths('Paths to what is masked in JSON bodies of responses', 'replace')),
      mask: v.optional(
        v.pipe(
          text('What stands in place of a masked value, in JSON as a text', 256),
          v.regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII, spaces only within'),
        ),
        '***',
      ),
      target: v.optional(target('Which messages are masked, of those that the trigger reaches'), 'both'),
      content_types: contentTypes('Content types of bodies that are masked; bodies without one are, too', JSON_TYPES),
      max_body_bytes: maxBodyBytes('Longest body that is masked, in bytes, as sent and decoded'),
      strict: v.optional(
        flag('Whether a body that should be masked and cannot be read is refused; false lets it pass unmasked'),
        true,
      ),
    }),
    MASKED,
  ),
  ({ target: side, ...settings }): readonly CrossFieldIssue[] => {
    const other = { request: 'response', response: 'request', both: undefined }[side];
    if (other === undefined) return [];
    return MASKED.filter((field) => field.startsWith(`${other}_`) && Object.hasOwn(settings, field)).map((field) => ({
      field,
      message: `has no meaning where target is ${side}`,
    }));
  },
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
