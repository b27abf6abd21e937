import { system } from '../adapters/system.ts';
import type { TelemetrySource } from './adapters/otlp-exporters.ts';

/** This process as a collector sees it: each worker is an instance of its own. Source: OpenTelemetry, Resource semantic conventions. */
export function telemetrySource({
  version,
  hostname,
}: {
  readonly version: string;
  readonly hostname: string;
}): TelemetrySource {
  return {
    attributes: {
      'service.version': version,
      'service.instance.id': system.newRandomId(),
      'host.name': hostname,
      'process.pid': process.pid,
    },
    version,
    startedMs: system.nowMs(),
  };
}
