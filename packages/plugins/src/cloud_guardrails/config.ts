import * as v from 'valibot';
import { answerBytes } from '../shared/chat/answer-bytes.ts';
import { secretText, serviceUrl, timeoutSeconds, variableName } from '../shared/chat/service-fields.ts';
import { choice, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule, type CrossFieldIssue } from '../shared/config-rules.ts';

const QUALIFIERS = ['grounding_source', 'query', 'guard_content'] as const;

const fields = configObject({
  access_key_id: v.optional(secretText('ID of the access key that signs the calls')),
  access_key_id_env: v.optional(
    variableName('Variable of the gateway with it, which its operator lets the tenant read'),
  ),
  action: v.optional(
    choice(
      'What the guardrail’s intervention means: the text is refused; what was masked goes on masked, and the rest is refused; or it goes on, and a header tells the client',
      ['block', 'mask', 'annotate'],
    ),
    'block',
  ),
  endpoint_url: v.optional(serviceUrl('Where the service is, when not at the cloud’s own address of the region')),
  fail_open: v.optional(
    flag('Whether texts pass when the guardrail cannot be asked, or an answer cannot be read; else they are refused'),
    false,
  ),
  guardrail_id: v.pipe(
    text('ID or ARN of the guardrail', 2048),
    v.regex(/^[A-Za-z0-9:/_.-]+$/, 'must be the ID or ARN of a guardrail'),
    v.check((id) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(id), 'must be the ID or ARN of a guardrail'),
  ),
  guardrail_version: v.optional(
    v.pipe(
      v.union(
        [
          wholeNumber('A number', 1, 99_999_999),
          v.pipe(text('A version', 8), v.regex(/^(?:[1-9]\d{0,7}|DRAFT)$/, 'must be a number or DRAFT')),
        ],
        'must be a number or DRAFT',
      ),
      v.description('Version of the guardrail'),
    ),
    'DRAFT',
  ),
  max_body_bytes: answerBytes('Longest request and answer that are judged, as sent and decoded, in bytes'),
  qualifiers: v.optional(
    v.pipe(
      v.array(choice('A qualifier', QUALIFIERS), 'must be a list of qualifiers'),
      v.maxLength(QUALIFIERS.length, `must have at most ${QUALIFIERS.length} entries`),
      v.description('What the guardrail is told that the texts are'),
    ),
  ),
  region: v.pipe(
    text('Region of the guardrail, such as eu-central-1', 32),
    v.regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/, 'must be the name of a region'),
  ),
  secret_access_key: v.optional(secretText('Secret of the access key')),
  secret_access_key_env: v.optional(variableName('Variable of the gateway with it')),
  session_token: v.optional(secretText('Token of temporary credentials')),
  session_token_env: v.optional(variableName('Variable of the gateway with it')),
  status_code: v.optional(wholeNumber('Status of refused requests and answers', 400, 599), 400),
  timeout_seconds: timeoutSeconds('Longest time that judging one message may take'),
});

/** Config of `cloud_guardrails`. Source: spec, Contract and AI policies. */
export const config = crossFieldRule(fields, (given) => [
  ...(given.endpoint_url?.includes('?') === true ? [{ field: 'endpoint_url', message: 'must have no query' }] : []),
  ...eitherIssues(given, 'access_key_id', 'access_key_id_env', true),
  ...eitherIssues(given, 'secret_access_key', 'secret_access_key_env', true),
  ...eitherIssues(given, 'session_token', 'session_token_env', false),
]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function eitherIssues(
  given: Config,
  field: 'access_key_id' | 'secret_access_key' | 'session_token',
  variable: `${typeof field}_env`,
  isNeeded: boolean,
): readonly CrossFieldIssue[] {
  const isGiven = given[field] !== undefined;
  if (isGiven && given[variable] !== undefined) return [{ field: variable, message: `must not stand beside ${field}` }];
  if (isGiven || given[variable] !== undefined || !isNeeded) return [];
  return [{ field, message: `or ${variable} is required: calls are signed` }];
}
