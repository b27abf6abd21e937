import * as v from 'valibot';
import { maxBodyBytes, target } from '../shared/bodies/body-fields.ts';
import { configObject, flag, text } from '../shared/config-fields.ts';
import { crossFieldRule, requireOneOf, type CrossFieldIssue } from '../shared/config-rules.ts';
import { TEMPLATE_LENGTH_MAX } from './parse-template.ts';
import { compileTemplates, templateFields } from './sides.ts';

/** Longest content type, in characters. */
const CONTENT_TYPE_LENGTH_MAX = 255;

const template = (description: string) => text(description, TEMPLATE_LENGTH_MAX);

const contentType = (description: string) =>
  v.optional(
    v.pipe(
      v.string('must be a content type'),
      v.maxLength(CONTENT_TYPE_LENGTH_MAX, `must have at most ${CONTENT_TYPE_LENGTH_MAX} characters`),
      v.regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[\t ]*;[\t ]*[\w-]+=(?:[\w.+/-]+|"[\w .+/:-]*"))*$/,
        'must be a content type such as application/json',
      ),
      v.check((given) => !/charset=(?!"?utf-?8"?(?:;|$))/i.test(given.replaceAll(/\s/g, '')), 'must be UTF-8'),
      v.description(description),
    ),
  );

/** Config of `template_transform`. */
export const config = crossFieldRule(
  requireOneOf(
    configObject({
      template: v.optional(template('Text of the new body, with variables in double braces, for all that target says')),
      templates: v.optional(
        v.pipe(
          configObject({
            request: v.optional(template('Template for requests')),
            response: v.optional(template('Template for responses')),
          }),
          v.check((given) => Object.keys(given).length > 0, 'must not be empty'),
          v.description('Templates as a map: request, response. Each wins over template'),
        ),
      ),
      request_template: v.optional(template('Template for requests; wins over templates and template')),
      response_template: v.optional(template('Template for responses; wins over templates and template')),
      content_type: contentType('Content type of what the templates make. Default: by what they are'),
      request_content_type: contentType('Content type of new request bodies; wins over content_type'),
      response_content_type: contentType('Content type of new response bodies; wins over content_type'),
      parse_json: v.optional(flag('Whether bodies of a JSON type are read as JSON; else as text'), true),
      target: v.optional(target('Whose bodies are replaced'), 'both'),
      max_body_bytes: maxBodyBytes('Bytes of the largest body that is read, as sent and decoded'),
      strict: v.optional(
        flag('Whether a message without a value for a variable, or with a body that cannot be read, is refused'),
        false,
      ),
    }),
    ['template', 'templates', 'request_template', 'response_template'],
  ),
  (given): readonly CrossFieldIssue[] => {
    const unused = templateFields(given).filter(({ side }) => given.target !== 'both' && given.target !== side);
    const idle = unused.map(({ field }) => ({ field, message: 'is a template for what target leaves out' }));
    return [...idle, ...compileTemplates(given).issues];
  },
);

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
