import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { ByteConnection } from '../shared/sockets/byte-connection.ts';
import { config } from './config.ts';
import { lineSender } from './line-sender.ts';

/** Sends a record of each request to a server, as a line of JSON over TCP. */
export const tcpLog: BuiltIn = builtIn({
  name: 'tcp_log',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: 'Sends a record of each request to a server, as a line of JSON over TCP',
  config,
  setup(given, services): PluginHooks {
    const timeoutMs = given.timeout * 1000;
    const connection = new ByteConnection(given, services, timeoutMs);
    const emitter = {
      settings: recordSettings(given),
      failsOnError: given.fail_on_error,
      sender: lineSender(connection),
      timeoutMs,
      encode: (record: object) => jsonEntry(JSON.stringify(record)),
    };
    return emitterHooks(emitter, services);
  },
});
