import { HeaderList, type Clock, type HeaderView, type ResponseExchange } from '@portcullis/plugin-runtime';
import type { AnswerStore } from './answer-store.ts';
import { cachedAnswer, type CachedAnswer } from './cached-answer.ts';
import type { Fetching } from './fetching.ts';
import type { AnswerTimes } from './lifetime.ts';
import type { CacheSettings } from './settings.ts';
import { storable, withBody } from './storing.ts';

/** Where answers are kept, and by which rules. */
export interface Keeper {
  readonly store: AnswerStore;
  readonly settings: CacheSettings;
  readonly clock: Clock;
}

/**
 * Stores the service's answer if that may be done.
 * @returns `undefined` when it may not, else what was stored, or nothing if its body is too long
 */
export function keepAnswer(
  exchange: ResponseExchange,
  fetching: Fetching,
  { store, settings, clock }: Keeper,
): Promise<CachedAnswer | undefined> | undefined {
  const { response } = exchange;
  const times = timesOf(fetching, clock);
  const head = storable(exchange, fetching, response.status, response.headers, times, settings);
  if (head === undefined) return undefined;
  // A host that is full sends it on unstored, if it can know that before it reads.
  return response.readBody(settings.bodyBytesMax, response.headers.has('content-length')).then((body) => {
    if (body === undefined) return undefined;
    const answer = withBody(head, body);
    store.put(fetching.asked.key, answer, fetching.since);
    return answer;
  });
}

/**
 * The stored answer with the news of a 304. It is stored anew, or dropped when it must not be stored any more.
 * Source: RFC 9111, sections 3.2 and 4.3.4.
 */
export function keepConfirmed(
  exchange: ResponseExchange,
  fetching: Fetching,
  stored: CachedAnswer,
  { store, settings, clock }: Keeper,
): CachedAnswer {
  const { asked, since } = fetching;
  const times = timesOf(fetching, clock);
  const headers = withNews(stored, exchange.response.headers);
  const head = storable(exchange, fetching, stored.status, headers, times, settings);
  if (head === undefined) {
    store.drop(asked.key, stored);
    const pairs = headers
      .toPairs()
      .filter((_part, at, all) => !/^(?:age|cache-control)$/i.test(all[at - (at % 2)] ?? ''));
    return cachedAnswer({
      ...stored,
      headers: pairs,
      cacheControl: headers.get('cache-control'),
      bornMs: times.receivedMs,
    });
  }
  const answer = withBody(head, stored.body);
  if (!answer.vary.every(({ name, value }) => stored.vary.some((was) => was.name === name && was.value === value))) {
    store.drop(asked.key, stored);
  }
  store.put(asked.key, answer, since);
  return answer;
}

function timesOf({ requestedMs }: Fetching, clock: Clock): AnswerTimes {
  return { requestedMs, receivedMs: clock.monotonicMs(), receivedWallMs: clock.nowMs() };
}

/** Headers of the stored answer; those that the 304 brings take their places, but for what describes the body. */
function withNews(stored: CachedAnswer, news: HeaderView): HeaderList {
  const pairs: string[] = [];
  const isNews = (name: string): boolean => news.has(name) && !OF_THE_BODY.test(name);
  for (let at = 0; at < stored.headers.length; at += 2) {
    const name = stored.headers[at] ?? '';
    if (!isNews(name)) pairs.push(name, stored.headers[at + 1] ?? '');
  }
  if (stored.cacheControl !== undefined && !news.has('cache-control')) pairs.push('Cache-Control', stored.cacheControl);
  news.forEach((name, value) => {
    if (!OF_THE_BODY.test(name)) pairs.push(name, value);
  });
  return new HeaderList(pairs);
}

const OF_THE_BODY = /^(?:content-(?:encoding|length|range|type)|transfer-encoding)$/i;
