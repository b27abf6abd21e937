import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { config } from './config.ts';
import { fileSender } from './file-sender.ts';

/** How long a batch may take to be written, in milliseconds. Below what a hook has by default (5 s). */
const TIMEOUT_MS = 3000;

/** Appends a record of each request to a file, as a line of JSON. */
export const fileLog: BuiltIn = builtIn({
  name: 'file_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: "Appends a record of each request to a file in the gateway's log folder, as a line of JSON",
  config,
  setup(given, services): PluginHooks {
    const emitter = {
      settings: recordSettings(given),
      failsOnError: given.fail_on_error,
      sender: fileSender(services.logFiles, given.path),
      timeoutMs: TIMEOUT_MS,
      encode: (record: object) => jsonEntry(JSON.stringify(record)),
    };
    return emitterHooks(emitter, services);
  },
});
