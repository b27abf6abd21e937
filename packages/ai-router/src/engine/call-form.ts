import type { JsonObject } from '../json.ts';
import type { AiOperation } from '../operation.ts';
import type { ProviderAdapter } from '../providers/adapter.ts';
import { UnsupportedRequestError } from '../providers/errors.ts';
import type { Surface } from '../surfaces/surface.ts';
import { surfaceOf } from '../surfaces/surfaces.ts';

/** In whose words a provider is called. */
export interface CallForm {
  readonly form: AiOperation;
  /** Turns the client's form into `form`; `undefined` where they are the same. */
  readonly surface: Surface | undefined;
}

/** @throws UnsupportedRequestError where a provider cannot do an operation */
export function callFormOf(operation: AiOperation, adapter: ProviderAdapter): CallForm {
  if (adapter.forms.has(operation)) return { form: operation, surface: undefined };
  const surface = surfaceOf(operation);
  if (surface !== undefined && adapter.forms.has('chat')) return { form: 'chat', surface };
  throw new UnsupportedRequestError(`no provider of this model takes requests for ${operation}`);
}

/** Names of one limit: the one that a target sets counts, by whichever name a client says it. Source: OpenAI API, chat completions. */
const LIMITS: readonly string[] = ['max_tokens', 'max_completion_tokens'];

/** A body with the fields that a target sets; which model it is and whether it streams is not a target's to say so. */
export function withParams(body: JsonObject, params: JsonObject): JsonObject {
  const { model: _model, stream: _stream, ...rest } = params;
  if (!LIMITS.some((name) => Object.hasOwn(rest, name))) return { ...body, ...rest };
  const others = Object.entries(body).filter(([name]) => !LIMITS.includes(name));
  return { ...Object.fromEntries(others), ...rest };
}
