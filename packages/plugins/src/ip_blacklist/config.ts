import type * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { networksField } from '../shared/networks-field.ts';

/** Config of `ip_blacklist`. */
export const config = configObject({
  blocked_ips: networksField('Addresses and CIDR ranges, IPv4 and IPv6, whose clients get 403; all others pass'),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
