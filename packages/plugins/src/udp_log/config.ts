import type * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { recordFields } from '../shared/records/record-fields.ts';
import { sinkFields, timeoutField } from '../shared/sinks/sink-fields.ts';
import { hostField, portField } from '../shared/sockets/address-fields.ts';

/** Config of `udp_log`. */
export const config = configObject({
  host: hostField('Name or IP address of the server that takes the records'),
  port: portField('Its port'),
  timeout: timeoutField('Longest time for finding the address and for the system to take a batch, in seconds'),
  ...sinkFields,
  ...recordFields,
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
