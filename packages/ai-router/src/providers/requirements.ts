import { isJsonObject, type JsonObject } from '../json.ts';
import type { AdapterCall, ProviderAdapter } from './adapter.ts';
import { UnsupportedRequestError } from './errors.ts';

/** An adapter that asks for nothing which the provider's config says that it cannot do (`supports`). Source: ai, Provider object. */
export function withRequirements(adapter: ProviderAdapter): ProviderAdapter {
  return {
    ...adapter,
    prepare(call) {
      requireSupported(call);
      return adapter.prepare(call);
    },
  };
}

function requireSupported({ provider, body }: AdapterCall): void {
  const { tools, jsonSchema } = provider.supports;
  if (!tools && Array.isArray(body['tools']) && body['tools'].length > 0) {
    throw new UnsupportedRequestError('this provider calls no tools');
  }
  if (!jsonSchema && wantsJsonSchema(body))
    throw new UnsupportedRequestError('this provider answers by no JSON Schema');
}

/** Where chats, responses and messages say so. */
function wantsJsonSchema(body: JsonObject): boolean {
  const formats = [body['response_format'], formatIn(body['text']), formatIn(body['output_config'])];
  return formats.some((format) => isJsonObject(format) && format['type'] === 'json_schema');
}

function formatIn(object: unknown): unknown {
  return isJsonObject(object) ? object['format'] : undefined;
}
