import * as v from 'valibot';
import { answerBytes } from '../shared/chat/answer-bytes.ts';
import { dotPathField } from '../shared/chat/dot-path.ts';
import { secretText, serviceHeaders, serviceUrl, timeoutSeconds, variableName } from '../shared/chat/service-fields.ts';
import { choice, configObject, flag, text, wholeNumber } from '../shared/config-fields.ts';
import { crossFieldRule } from '../shared/config-rules.ts';

const CRITERIA_LENGTH_MAX = 16_384;
const CRITERIA_MAX = 50;
const VERDICTS_MAX = 50;
const SCORE_MAX = 1_000_000;

/** Verdicts that let an answer pass where a config names none. */
export const PASSING_VERDICTS = [
  'pass',
  'passed',
  'allow',
  'allowed',
  'approve',
  'approved',
  'accept',
  'accepted',
  'ok',
  'safe',
  'yes',
  'true',
] as const;

const fields = configObject({
  action: v.optional(
    choice('What becomes of an answer that does not pass: it is refused, or goes on with headers that say so', [
      'block',
      'annotate',
    ]),
    'block',
  ),
  allowed_verdicts: v.optional(
    v.pipe(
      v.array(text('A verdict', 128), 'must be a list of verdicts'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(VERDICTS_MAX, `must have at most ${VERDICTS_MAX} entries`),
      v.description(
        'Verdicts that let an answer pass, in any case; pass, allow, approve, accept, ok, safe, yes, true and their like when absent',
      ),
    ),
  ),
  api_key: v.optional(secretText('Key that goes to the judge as Authorization: Bearer')),
  api_key_env: v.optional(
    variableName('Variable of the gateway with that key; its operator says which ones a tenant may read'),
  ),
  criteria: v.optional(
    v.pipe(
      v.union(
        [
          text('What an answer has to be', CRITERIA_LENGTH_MAX),
          v.pipe(
            v.array(text('One thing that an answer has to be', CRITERIA_LENGTH_MAX), 'must be a list'),
            v.maxLength(CRITERIA_MAX, `must have at most ${CRITERIA_MAX} entries`),
          ),
        ],
        'must be text or a list of texts',
      ),
      v.description('What an answer has to be, in words for the judge: a text, or a list of texts'),
    ),
  ),
  fail_open: v.optional(
    flag('Whether an answer passes when the judge gives no verdict, or the answer cannot be read; else it is refused'),
    false,
  ),
  headers: serviceHeaders('Further headers for the judge'),
  judge_url: serviceUrl(
    'Where the judge is asked, by POST in JSON; one that ends in /chat/completions is asked as a chat',
  ),
  max_body_bytes: answerBytes('Longest answer that is judged, as sent and decoded, in bytes'),
  minimum_score: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(-SCORE_MAX, `must be at least ${-SCORE_MAX}`),
      v.maxValue(SCORE_MAX, `must be at most ${SCORE_MAX}`),
      v.description('Score below which an answer does not pass'),
    ),
  ),
  model: v.optional(text('Model that the judge is asked for', 256)),
  score_path: v.optional(dotPathField('Path of the score in the judge’s answer'), 'score'),
  status_code: v.optional(wholeNumber('Status of a refused answer', 400, 599), 400),
  timeout_seconds: timeoutSeconds('Longest time that the judge may take'),
  verdict_path: v.optional(dotPathField('Path of the verdict in the judge’s answer'), 'verdict'),
});

/** Config of `llm_as_judge`. Source: spec, Contract and AI policies. */
export const config = crossFieldRule(fields, (given) => [
  ...(given.api_key !== undefined && given.api_key_env !== undefined
    ? [{ field: 'api_key_env', message: 'must not stand beside api_key' }]
    : []),
  ...(hasKey(given) && Object.keys(given.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
    ? [{ field: 'headers', message: 'must not hold Authorization beside a key' }]
    : []),
  ...(isChatJudge(given) && given.model === undefined
    ? [{ field: 'model', message: 'is required: a judge that is asked as a chat needs one' }]
    : []),
]);

/** See {@link config}. */
export type Config = v.InferOutput<typeof fields>;

function hasKey({ api_key: key, api_key_env: variable }: Config): boolean {
  return key !== undefined || variable !== undefined;
}

/** Whether the judge is asked in the form of OpenAI's chats. */
export function isChatJudge({ judge_url: url }: Pick<Config, 'judge_url'>): boolean {
  return URL.parse(url)?.pathname.endsWith('/chat/completions') ?? false;
}
