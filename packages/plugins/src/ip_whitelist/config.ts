import type * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { networksField } from '../shared/networks-field.ts';

/** Config of `ip_whitelist`. */
export const config = configObject({
  allowed_ips: networksField('Addresses and CIDR ranges, IPv4 and IPv6, whose clients pass; all others get 403'),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
