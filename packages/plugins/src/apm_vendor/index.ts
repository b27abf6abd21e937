import type { PluginHooks } from '@portcullis/plugin-runtime';
import { builtIn, type BuiltIn } from '../shared/built-in.ts';
import { recordSettings } from '../shared/records/record-fields.ts';
import { emitterHooks, jsonEntry } from '../shared/sinks/emitter-hooks.ts';
import { httpSender } from '../shared/sinks/http-sender.ts';
import { jsonList } from '../shared/sinks/json-bodies.ts';
import { HTTP_LIMITS } from '../shared/sinks/sink-limits.ts';
import { config, type Config } from './config.ts';
import { FigureSink } from './figure-sink.ts';
import { logsIntake } from './sites.ts';
import { tagList } from './tags.ts';
import { serviceOf, vendorLog } from './vendor-log.ts';

/** Header of the vendor's key. */
const KEY_HEADER = 'DD-API-KEY';

/** Tells a monitoring vendor of every request. */
export const apmVendor: BuiltIn = builtIn({
  name: 'apm_vendor',
  version: '1.0.0',
  category: 'observability',
  triggers: ['both', 'before_request', 'after_response', 'on_error'],
  description: "Sends a record of each request to a monitoring vendor's intake, and figures where they are wanted",
  config,
  setup(settings, services): PluginHooks {
    const {
      content_type: contentType,
      method,
      source,
      service_name: serviceName,
      metric_prefix: metricPrefix,
    } = settings;
    const timeoutMs = settings.timeout * 1000;
    const headers = {
      ...settings.headers,
      ...(settings.api_key === undefined ? {} : { [KEY_HEADER]: settings.api_key }),
    };
    const tags = tagsOf(settings);
    const endpoint = settings.endpoint ?? settings.intake_url ?? settings.apm_endpoint;
    const { site } = settings;
    const url = endpoint ?? (site === undefined ? '' : logsIntake(site));
    const figures =
      metricPrefix === undefined || endpoint !== undefined || site === undefined
        ? undefined
        : new FigureSink({ site, headers, prefix: metricPrefix, tags, timeoutMs }, services);
    const words = { source, tags: tags.join(','), serviceName, metricPrefix };
    const body = (records: readonly string[]) => ({ text: jsonList(records, contentType), contentType });
    const hooks = emitterHooks<string>(
      {
        settings: recordSettings(settings),
        failsOnError: settings.fail_on_error,
        encode(record) {
          figures?.push(record, serviceOf(record, serviceName));
          return jsonEntry(vendorLog(record, words));
        },
        // It is somebody's key that would be sent in the clear.
        sender: httpSender(
          { url, method, headers, timeoutMs, requiresTls: settings.api_key !== undefined, body },
          services,
        ),
        timeoutMs,
        limits: HTTP_LIMITS,
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
