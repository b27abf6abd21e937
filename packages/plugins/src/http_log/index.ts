import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpEmitter } from '../shared/sinks/http-emitter.ts';
import { jsonBody } from '../shared/sinks/json-bodies.ts';
import { config } from './config.ts';

/** Tells an HTTP endpoint of every request. */
export const httpLog: BuiltIn = builtIn({
  name: 'http_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends a record of each request to an HTTP endpoint, in batches that no request waits for',
  config,
  readsReferences: true,
  setup(settings, services): PluginHooks {
    const { content_type: contentType } = settings;
    return httpEmitter(
      settings,
      {
        url: settings.http_endpoint ?? settings.endpoint ?? '',
        encode: (record) => jsonEntry(JSON.stringify(record)),
        body: (records) => ({ text: jsonBody(records, contentType), contentType }),
      },
      services,
    );
  },
});
