import type { PluginHooks, PluginServices } from '@portcullis/plugin-runtime';
import { recordSettings } from '../records/record-fields.ts';
import { emitterHooks, type Emitter } from './emitter-hooks.ts';
import type { HttpSinkConfig } from './http-fields.ts';
import { httpSender, type HttpSending } from './http-sender.ts';
import { HTTP_LIMITS } from './sink-limits.ts';

/** What a package says beside the fields that all have. */
export interface HttpEmitter
  extends Pick<Emitter<string>, 'encode'>, Pick<HttpSending<string>, 'url' | 'body' | 'requiresTls'> {
  /** Default: those of the config. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The hooks of a package that sends records over HTTP. */
export function httpEmitter(config: HttpSinkConfig, emitter: HttpEmitter, services: PluginServices): PluginHooks {
  const { encode, headers = config.headers ?? {}, ...sending } = emitter;
  const timeoutMs = config.timeout * 1000;
  return emitterHooks<string>(
    {
      settings: recordSettings(config),
      failsOnError: config.fail_on_error,
      encode,
      sender: httpSender({ ...sending, method: config.method, headers, timeoutMs }, services),
      timeoutMs,
      limits: HTTP_LIMITS,
    },
    services,
  );
}
