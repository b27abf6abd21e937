import type { Exchange, HeaderEdit, PluginHooks, RequestEdits } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { basedDestination, pathAt } from '../shared/destination-url.ts';
import { canaryBuckets, compileBucket } from './buckets.ts';
import { config, DECISION_HEADER, NEVER, type Config } from './config.ts';
import { copyRequest } from './copied-request.ts';
import { Copies } from './copies.ts';

/** Sends a stable share of requests to a canary, or copies them there. */
export const canaryShadowTraffic: BuiltIn = builtIn({
  name: 'canary_shadow_traffic',
  version: '1.0.0',
  category: 'traffic',
  triggers: ['before_request'],
  description: 'Sends a stable share of requests to a canary in place of their service, or a copy of each beside it',
  config,
  setup(settings, { outbound, clock, log, random }): PluginHooks {
    const bucketOf = compileBucket(settings, random);
    const limit = canaryBuckets(settings.canary_percentage);
    const override = compileOverride(settings);
    const headersOf = compileHeaders(settings);
    const [upstream, shadow] = [settings.canary_upstream_url, settings.canary_forward_url].map((url) =>
      url === undefined ? undefined : basedDestination(url),
    );
    const copies = new Copies({ outbound, clock, log });
    return {
      request(exchange) {
        const bucket = bucketOf(exchange);
        const isCanary = override(exchange) ?? bucket < limit;
        const told = headersOf(isCanary, bucket);
        if (!isCanary) return told;
        const { request } = exchange;
        const edits: RequestEdits | undefined =
          upstream === undefined
            ? told
            : { ...told, destination: upstream.destination, path: pathAt(upstream.basePath, request) };
        const copying = shadow === undefined ? undefined : copyRequest(exchange, shadow, copies);
        return copying === undefined ? edits : copying.then(() => edits);
      },
      dispose: () => copies.dispose(),
    };
  },
});

/** What a client decides for itself; `undefined` leaves it to the bucket. */
function compileOverride(settings: Config): (exchange: Exchange) => boolean | undefined {
  const { canary_header_name: name, canary_header_value: wanted } = settings;
  if (name === undefined) return () => undefined;
  return ({ request }) => {
    const value = request.headers.get(name);
    if (value === undefined) return undefined;
    if (value.toLowerCase() === NEVER) return false;
    return wanted === undefined || value === wanted ? true : undefined;
  };
}

/** Header edits that tell of the decision, for the upstream and for the client. What a client itself claims there does not count. */
function compileHeaders(settings: Config): (isCanary: boolean, bucket: number) => RequestEdits | undefined {
  const { decision_header_name: name, bucket_header_output_name: bucketName } = settings;
  const isTold = settings.include_decision_headers ?? settings.decision_headers ?? name !== undefined;
  const decision = (value: string): readonly HeaderEdit[] =>
    isTold ? [Object.freeze({ op: 'set', name: name ?? DECISION_HEADER, value })] : [];
  const [canary, primary] = [toldBoth(decision('canary')), toldBoth(decision('primary'))];
  if (bucketName === undefined) return (isCanary) => (isTold ? (isCanary ? canary : primary) : undefined);
  return (isCanary, bucket) => {
    const { headers } = isCanary ? canary : primary;
    return toldBoth([...headers, { op: 'set', name: bucketName, value: String(bucket) }]);
  };
}

function toldBoth(edits: readonly HeaderEdit[]): { readonly headers: readonly HeaderEdit[] } & RequestEdits {
  const headers = Object.freeze(edits);
  return { headers, responseHeaders: headers };
}
