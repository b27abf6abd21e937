import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpEmitter } from '../shared/sinks/http-emitter.ts';
import { jsonList } from '../shared/sinks/json-bodies.ts';
import { config, KEY_HEADER, type Config } from './config.ts';
import { FigureSink } from './figure-sink.ts';
import { logsIntake } from './sites.ts';
import { tagList } from './tags.ts';
import { serviceOf, vendorLog } from './vendor-log.ts';

/** Tells a monitoring vendor of every request. */
export const apmVendor: BuiltIn = builtIn({
  name: 'apm_vendor',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: "Sends a record of each request to a monitoring vendor's intake, and figures where they are wanted",
  config,
  readsReferences: true,
  setup(settings, services): PluginHooks {
    const { content_type: contentType, site, api_key: key, metric_prefix: metricPrefix } = settings;
    const headers = { ...settings.headers, ...(key === undefined ? {} : { [KEY_HEADER]: key }) };
    const tags = tagsOf(settings);
    const endpoint = settings.endpoint ?? settings.intake_url ?? settings.apm_endpoint;
    const url = endpoint ?? (site === undefined ? '' : logsIntake(site));
    const timeoutMs = settings.timeout * 1000;
    const figures =
      metricPrefix === undefined || endpoint !== undefined || site === undefined
        ? undefined
        : new FigureSink({ site, headers, prefix: metricPrefix, tags, timeoutMs }, services);
    const words = { source: settings.source, tags: tags.join(','), serviceName: settings.service_name, metricPrefix };
    const hooks = httpEmitter(
      settings,
      {
        url,
        headers,
        // It is somebody's key that would be sent in the clear.
        requiresTls: key !== undefined,
        encode(record) {
          figures?.push(record, serviceOf(record, words.serviceName));
          return jsonEntry(vendorLog(record, words));
        },
        body: (records) => ({ text: jsonList(records, contentType), contentType }),
      },
      services,
    );
    const dispose = async (): Promise<void> => void (await Promise.all([hooks.dispose?.(), figures?.dispose()]));
    return { ...hooks, dispose };
  },
});

function tagsOf({ env, version, tags }: Config): readonly string[] {
  return [
    ...(env === undefined ? [] : [`env:${env}`]),
    ...(version === undefined ? [] : [`version:${version}`]),
    ...tagList(tags),
  ];
}
