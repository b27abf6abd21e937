import * as v from 'valibot';
import { boundedText, nameField, numberField, type ObjectMaker, wholeNumberField } from '../config/fields.ts';
import { fieldRule, type AliasProblem } from '../config/problems.ts';
import { cacheBounds } from './cache-settings.ts';

const URL_LENGTH_MAX = 2048;
const REFERENCE_LENGTH_MAX = 512;
const VARIABLE_LENGTH_MAX = 128;
const MS_PER_SECOND = 1000;

/** An embedding source as configs and records hold it. Its credential is a reference. */
export interface EmbeddingConfig {
  provider?: string | undefined;
  base_url?: string | undefined;
  model?: string | undefined;
  path?: string | undefined;
  api_key_ref?: string | undefined;
  api_key_env?: string | undefined;
  timeout_ms?: number | undefined;
  timeout?: number | undefined;
}

/** An embedding source of its own, in an object of either strictness. Source: spec, AI gateway records. */
export function embeddingSchema(objectOf: ObjectMaker): v.GenericSchema<EmbeddingConfig> {
  const { min, max } = cacheBounds.timeoutMs;
  const fields: v.GenericSchema<EmbeddingConfig> = objectOf({
    provider: v.optional(nameField('Name of a provider')),
    base_url: v.optional(
      v.pipe(
        boundedText('Public https address that the path is joined to', URL_LENGTH_MAX),
        v.check(isPublicAddress, 'must be an https address without user, password, query or fragment'),
      ),
    ),
    model: v.optional(nameField('What the source calls the model')),
    path: v.optional(
      v.pipe(
        boundedText('Path of embeddings, from the base on', URL_LENGTH_MAX),
        v.regex(/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/, 'must be a path'),
      ),
    ),
    api_key_ref: v.optional(
      v.pipe(
        boundedText('Reference to a key in a vault', REFERENCE_LENGTH_MAX),
        v.regex(/^vault:\/\/[a-z][a-z0-9-]*\/[\x21-\x7E]+$/, 'must read vault://prefix/secret[/key]'),
      ),
    ),
    api_key_env: v.optional(
      v.pipe(
        boundedText('Variable of the gateway that its operator lets the tenant read', VARIABLE_LENGTH_MAX),
        v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable'),
      ),
    ),
    timeout_ms: v.optional(wholeNumberField('Time for a vector, in milliseconds', min, max)),
    timeout: v.optional(numberField('The same as timeout_ms, in seconds', min / MS_PER_SECOND, max / MS_PER_SECOND)),
  });
  return fieldRule(fields, sourceProblems);
}

/** Milliseconds of a source's time-out, under either of its names. */
export function embeddingTimeoutMs({ timeout_ms: inMs, timeout }: EmbeddingConfig): number {
  if (inMs !== undefined) return inMs;
  return timeout === undefined ? cacheBounds.timeoutMs.default : Math.round(timeout * MS_PER_SECOND);
}

function sourceProblems(given: Readonly<Record<string, unknown>>): readonly AliasProblem[] {
  const { provider, base_url: url, model, api_key_ref: ref, api_key_env: env, timeout, timeout_ms: inMs } = given;
  const problems: AliasProblem[] = [];
  if ((provider === undefined) === (url === undefined)) {
    problems.push({ field: 'provider', message: 'exactly one of provider and base_url is needed' });
  }
  if (url !== undefined && model === undefined) problems.push({ field: 'model', message: 'is needed beside base_url' });
  if (ref !== undefined && env !== undefined) {
    problems.push({ field: 'api_key_env', message: 'cannot be given together with api_key_ref' });
  }
  if (inMs !== undefined && timeout !== undefined && inMs !== embeddingTimeoutMs({ timeout: Number(timeout) })) {
    problems.push({ field: 'timeout', message: 'is another name of timeout_ms and says something else' });
  }
  return problems;
}

/** An address that anybody may know: https, without account, query and fragment. */
function isPublicAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' && !url.username && !url.password && !/[?#\s\\]/.test(text);
}
