import type { PluginServices } from '@portcullis/plugin-runtime';
import type { LogRecord } from '../shared/records/log-record.ts';
import { httpSender } from '../shared/sinks/http-sender.ts';
import { RecordSink } from '../shared/sinks/record-sink.ts';
import { FigureSums } from './figure-sums.ts';
import { figuresOf } from './figures.ts';
import { seriesIntake, type Site } from './sites.ts';

/** Where figures go. */
export interface FigureSettings {
  readonly site: Site;
  readonly headers: Readonly<Record<string, string>>;
  readonly prefix: string;
  /** Of every series. */
  readonly tags: readonly string[];
  readonly timeoutMs: number;
}

/** How long figures are summed up before they are sent, in milliseconds: the vendor's own agents do it for as long. */
const SUM_MS = 10_000;

/** Sends the vendor sums of what records count for. */
export class FigureSink {
  readonly #sink: RecordSink<string>;
  readonly #sums = new FigureSums();
  readonly #settings: FigureSettings;
  readonly #services: PluginServices;
  #timer: unknown;

  constructor(settings: FigureSettings, services: PluginServices) {
    const { site, headers, timeoutMs } = settings;
    const body = ([series = '']: readonly string[]) => ({ text: series, contentType: 'application/json' });
    const url = seriesIntake(site);
    const sender = httpSender<string>({ url, method: 'POST', headers, timeoutMs, requiresTls: true, body }, services);
    // Each entry is a whole body.
    this.#sink = new RecordSink({ sender, timeoutMs, noun: 'figures', limits: { batchRecordsMax: 1 } }, services);
    this.#settings = settings;
    this.#services = services;
  }

  /** @param service that the record is filed under */
  push(record: LogRecord, service: string): void {
    const { status, route, method } = record;
    const statusClass = status === null ? 'none' : `${Math.floor(status / 100)}xx`;
    const tags = [
      `service:${service}`,
      `route:${route?.name ?? 'none'}`,
      `method:${method}`,
      `status_class:${statusClass}`,
    ];
    this.#sums.add(figuresOf(record, this.#settings.prefix), tags);
    this.#timer ??= this.#services.timers.set(() => this.#send(), SUM_MS);
  }

  dispose(): Promise<void> {
    if (this.#timer !== undefined) this.#services.timers.clear(this.#timer);
    this.#send();
    return this.#sink.dispose();
  }

  #send(): void {
    this.#timer = undefined;
    if (this.#sums.isEmpty) return;
    const bodies = this.#sums.take(this.#settings.tags, Math.floor(this.#services.clock.nowMs() / 1000));
    for (const body of bodies) this.#sink.push(body, Buffer.byteLength(body));
  }
}
