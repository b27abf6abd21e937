import type * as v from 'valibot';
import { configObject } from '../shared/config-fields.ts';
import { destinationUrl } from '../shared/destination-url.ts';

/** Config of `forward_proxy`. Source: spec, forward_proxy. */
export const config = configObject({
  forward_url: destinationUrl(
    'Where requests go in place of the service; its path goes before that of the request',
    'any',
  ),
});

/** See {@link config}. */
export type Config = v.InferOutput<typeof config>;
