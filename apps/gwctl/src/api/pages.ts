import type { QueryValue } from '@portcullis/admin-client';
import { answerAs } from './answer-as.ts';
import { pageSchema } from './answers.ts';
import type { Session } from './session.ts';

/** A page of records as the API gives it. */
export interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly skip?: number;
  readonly limit?: number;
}

type Query = Readonly<Record<string, QueryValue>>;

/** Records of a request: the most that the API gives. Source: wire contract. */
const pageLength = 200;

/** One page. @throws CommandFailure when the answer is none */
export async function onePage(session: Session, path: string, query: Query): Promise<Page> {
  return answerAs(await session.call('GET', path, { query }), pageSchema);
}

/**
 * All pages from `query.skip` on, as one. Records that come or go meanwhile move the others between pages: one that is seen
 * twice is kept once.
 */
export async function allPages(session: Session, path: string, query: Query): Promise<Page> {
  const begin = Number(query['skip'] ?? 0);
  const items = new Map<unknown, Page['items'][number]>();
  let page: Page;
  let seen = 0;
  do {
    page = await onePage(session, path, { ...query, limit: pageLength, skip: begin + seen });
    // A record without an ID counts as another one each time.
    for (const item of page.items) items.set(item['id'] ?? item, item);
    seen += page.items.length;
  } while (page.items.length > 0 && begin + seen < page.total);
  return { items: [...items.values()], total: page.total, skip: begin, limit: items.size };
}
