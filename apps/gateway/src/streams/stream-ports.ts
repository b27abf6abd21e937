import type { PluginLog } from '@portcullis/plugin-runtime';
import type { System } from '../adapters/system.ts';
import type { LiveConfiguration } from '../configuration/live-configuration.ts';
import type { Observer } from '../observations/observer.ts';
import type { Dial } from './dial.ts';
import type { StreamMetrics } from './stream-metrics.ts';

/** What connections need of the process. */
export interface StreamPorts {
  readonly live: LiveConfiguration;
  readonly observer: Observer;
  readonly metrics: StreamMetrics;
  /** Shared with requests: while a process cannot keep up, connections that begin are refused too. */
  readonly admission: { enter(): boolean; leave(): void };
  readonly dial: Dial;
  readonly log: PluginLog;
  readonly system: Pick<System, 'nowMs' | 'monotonicMs' | 'newId' | 'setTimer'>;
}
