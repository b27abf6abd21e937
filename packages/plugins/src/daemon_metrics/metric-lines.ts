import type { LogRecord } from '../shared/records/log-record.ts';
import type { Dialect } from './dialects.ts';
import { tagValue, type Tag } from './tags.ts';

/** What a config says of the lines. */
export interface LineSettings {
  readonly namespace: string;
  readonly dialect: Dialect;
  readonly tags: readonly Tag[];
  readonly hasRouteTags: boolean;
  /** Above 0, at most 1. */
  readonly sampleRate: number;
}

/** Names of what matched. */
export interface MatchedNames {
  readonly gateway: string;
  readonly service: string | undefined;
  readonly route: string | undefined;
}

/** Sets of tags whose text is kept. Beyond it, all are made anew. */
const TEXTS_MAX = 1000;

/** What tags make of a line. */
interface TagTexts {
  readonly afterName: string;
  readonly end: string;
}

/** Makes what gives the lines of a request. */
export function lineMaker(settings: LineSettings): (record: LogRecord, names: MatchedNames) => readonly string[] {
  const { namespace, dialect } = settings;
  const textsOf = tagTexts(settings);
  return (record, names) => {
    const { afterName, end } = textsOf(record, names);
    const lines: string[] = [];
    const add = (name: string, value: number | null, type: 'c' | 'h' | 'ms'): void => {
      if (value !== null) lines.push(`${namespace}.${name}${afterName}:${value}|${type}${end}`);
    };
    add('request.count', 1, 'c');
    // Without tags, the name is the only place for it.
    if (!dialect.hasTags) add(`request.status.${record.status ?? 'none'}`, 1, 'c');
    add('request.latency', record.latency_ms, 'ms');
    add('upstream.latency', record.upstream_latency_ms, 'ms');
    add('gateway.latency', record.gateway_latency_ms, 'ms');
    add('request.size', record.request_bytes, dialect.sizeType);
    add('response.size', record.response_bytes, dialect.sizeType);
    return lines;
  };
}

/** Most requests have the tags of one before: making them takes longer than all else. */
function tagTexts(settings: LineSettings): (record: LogRecord, names: MatchedNames) => TagTexts {
  const { dialect, sampleRate } = settings;
  const rate = sampleRate < 1 ? `|@${sampleRate}` : '';
  if (!dialect.hasTags) return () => ({ afterName: '', end: rate });
  const kept = new Map<string, TagTexts>();
  return (record, names) => {
    // Clients invent methods: each would be a series of its own.
    const method = METHODS.has(record.method) ? record.method : 'OTHER';
    const about = [method, record.status, record.status_source, names.gateway, names.service, names.route].join('\n');
    const known = kept.get(about);
    if (known !== undefined) return known;
    const tags = tagsOf(method, record, names, settings);
    const texts = { afterName: dialect.afterName(tags), end: `${rate}${dialect.atEnd(tags)}` };
    if (kept.size >= TEXTS_MAX) kept.clear();
    kept.set(about, texts);
    return texts;
  };
}

function tagsOf(method: string, record: LogRecord, names: MatchedNames, settings: LineSettings): readonly Tag[] {
  const { status } = record;
  const tags: Tag[] = [
    ...settings.tags,
    ['method', method],
    ['status', status === null ? 'none' : `${status}`],
    ['status_class', status === null ? 'none' : `${Math.floor(status / 100)}xx`],
    ['source', record.status_source ?? 'none'],
  ];
  if (!settings.hasRouteTags) return tags;
  tags.push(['gateway', tagValue(names.gateway)]);
  if (names.service !== undefined) tags.push(['service', tagValue(names.service)]);
  if (names.route !== undefined) tags.push(['route', tagValue(names.route)]);
  return tags;
}

/** Source: RFC 9110, section 9, and RFC 5789. */
const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);
