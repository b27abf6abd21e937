import type { Exchange, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { headerEdits } from '../shared/header-edits.ts';
import { editJsonFields, type JsonFieldEdits } from '../shared/json-fields.ts';
import { config, type Config } from './config.ts';

/** Largest JSON body that is read and transformed, in bytes. A larger one goes on as it came, as in Kong. */
export const JSON_BODY_BYTES_MAX = 1_048_576;

/** Edits request headers and the top-level fields of JSON bodies. */
export const requestTransformer: BuiltIn = builtIn({
  name: 'request_transformer',
  version: '1.0.0',
  category: 'transformation',
  triggers: ['before_request'],
  description: 'Edits request headers and the top-level fields of JSON request bodies',
  config,
  setup(settings): PluginHooks {
    const edits = Object.freeze({
      headers: headerEdits({
        remove: settings.remove_headers,
        rename: settings.rename_headers,
        set: { ...settings.headers, ...settings.set_headers },
        add: settings.add_headers,
      }),
    });
    const json = jsonEditsOf(settings);
    if (json === undefined) return { request: () => edits };
    return { request: (exchange) => (hasJsonBody(exchange) ? editBody(exchange, edits, json) : edits) };
  },
});

function jsonEditsOf(settings: Config): JsonFieldEdits | undefined {
  const { remove_json_fields: remove, replace_json_fields: replace, add_json_fields: add } = settings;
  if (remove === undefined && replace === undefined && add === undefined) return undefined;
  return { remove: remove ?? [], replace: replace ?? {}, add: add ?? {} };
}

async function editBody({ request }: Exchange, edits: RequestEdits, json: JsonFieldEdits): Promise<RequestEdits> {
  const bytes = await request.readBody(JSON_BODY_BYTES_MAX);
  const text = bytes === undefined ? undefined : decode(bytes);
  const body = text === undefined ? undefined : editJsonFields(text, json);
  return body === undefined ? edits : { ...edits, body };
}

/** What is said to be readable JSON: `application/json` and the `+json` types (RFC 6839, section 3.1), not compressed. */
function hasJsonBody({ request: { headers } }: Exchange): boolean {
  const type = headers.get('content-type');
  if (type === undefined || isEncoded(headers.get('content-encoding'))) return false;
  return /^\s*[^\s;/]+\/(?:json|[^\s;/]+\+json)\s*(?:;|$)/i.test(type);
}

function isEncoded(encoding: string | undefined): boolean {
  return encoding !== undefined && !/^\s*(?:identity)?\s*$/i.test(encoding);
}

/** The text of a body; `undefined` when it is not UTF-8, as JSON must be. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
