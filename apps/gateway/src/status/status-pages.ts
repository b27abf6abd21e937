/** An answer of the status port. Plain data: with several workers it travels between processes. */
export interface StatusAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One page of the status port. `query` is what the caller asks for; the method is GET or HEAD already. */
export type StatusPage = (query: URLSearchParams) => StatusAnswer | Promise<StatusAnswer>;

/** Pages by path, `/metrics` for instance. */
export type StatusPages = ReadonlyMap<string, StatusPage>;

/** The answer to a request on the status port. An unknown path is 404, another method 405. */
export async function answerStatus(pages: StatusPages, method: string, target: string): Promise<StatusAnswer> {
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { allow: 'GET, HEAD' }, body: '' };
  const page = pages.get(path);
  if (page === undefined) return jsonAnswer(404, { status: 'not_found' });
  return page(new URLSearchParams(question === -1 ? '' : target.slice(question + 1)));
}

/** An answer in JSON that no cache keeps. */
export function jsonAnswer(status: number, body: unknown): StatusAnswer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
