import type { Tag } from './tags.ts';

/** How servers of one kind read lines: `name:value|type|@rate`, and tags somewhere in it. */
export interface Dialect {
  /** What stands after the name of a metric. */
  readonly afterName: (tags: readonly Tag[]) => string;
  /** What stands at the end of a line. */
  readonly atEnd: (tags: readonly Tag[]) => string;
  /** The type of sizes. Where there are no histograms, timers do the same. */
  readonly sizeType: 'h' | 'ms';
  readonly hasTags: boolean;
}

const nothing = (): string => '';

const joined = (tags: readonly Tag[], between: string, separator: string): string =>
  tags.map(([name, value]) => `${name}${between}${value}`).join(separator);

/** `name:1|c|@0.5|#a:b,c:d`. Source: DogStatsD datagram format. */
const dogstatsd: Dialect = {
  afterName: nothing,
  atEnd: (tags) => (tags.length === 0 ? '' : `|#${joined(tags, ':', ',')}`),
  sizeType: 'h',
  hasTags: true,
};

/** `name,a=b,c=d:1|c`. Source: Telegraf's StatsD input. */
const telegraf: Dialect = {
  afterName: (tags) => tags.map(([name, value]) => `,${name}=${value}`).join(''),
  atEnd: nothing,
  sizeType: 'h',
  hasTags: true,
};

/** `name#a=b,c=d:1|c`. Source: Librato's StatsD backend. */
const librato: Dialect = {
  afterName: (tags) => (tags.length === 0 ? '' : `#${joined(tags, '=', ',')}`),
  atEnd: nothing,
  sizeType: 'ms',
  hasTags: true,
};

/** `name[a=b,c=d]:1|c`. Source: SignalFx's StatsD receiver. */
const signalfx: Dialect = {
  afterName: (tags) => (tags.length === 0 ? '' : `[${joined(tags, '=', ',')}]`),
  atEnd: nothing,
  sizeType: 'ms',
  hasTags: true,
};

/** `name;a=b;c=d:1|c`. Source: Graphite's tagged series. */
const graphite: Dialect = {
  afterName: (tags) => tags.map(([name, value]) => `;${name}=${value}`).join(''),
  atEnd: nothing,
  sizeType: 'ms',
  hasTags: true,
};

/** `name:1|c`. Source: StatsD's own metric types. */
const statsd: Dialect = { afterName: nothing, atEnd: nothing, sizeType: 'ms', hasTags: false };

/** By the words of `tag_format`. */
export const dialects: Readonly<Record<TagFormat, Dialect>> = {
  dogstatsd,
  datadog: dogstatsd,
  telegraf,
  influxdb: telegraf,
  librato,
  signalfx,
  graphite,
  statsd,
  none: statsd,
};

/** The words of `tag_format`. */
export const tagFormats = [
  'dogstatsd',
  'datadog',
  'telegraf',
  'influxdb',
  'librato',
  'signalfx',
  'graphite',
  'statsd',
  'none',
] as const;

/** See {@link tagFormats}. */
export type TagFormat = (typeof tagFormats)[number];
