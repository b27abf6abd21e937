import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpSender } from '../shared/sinks/http-sender.ts';
import { jsonBody } from '../shared/sinks/json-bodies.ts';
import { HTTP_LIMITS } from '../shared/sinks/sink-limits.ts';
import { config } from './config.ts';

/** Tells an HTTP endpoint of every request. */
export const httpLog: BuiltIn = builtIn({
  name: 'http_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends a record of each request to an HTTP endpoint, in batches that no request waits for',
  config,
  setup(settings, services): PluginHooks {
    const { content_type: contentType, method, headers = {} } = settings;
    const timeoutMs = settings.timeout * 1000;
    const url = settings.http_endpoint ?? settings.endpoint ?? '';
    const body = (records: readonly string[]) => ({ text: jsonBody(records, contentType), contentType });
    return emitterHooks<string>(
      {
        settings: recordSettings(settings),
        failsOnError: settings.fail_on_error,
        encode: (record) => jsonEntry(JSON.stringify(record)),
        sender: httpSender({ url, method, headers, timeoutMs, body }, services),
        timeoutMs,
        limits: HTTP_LIMITS,
      },
      services,
    );
  },
});
