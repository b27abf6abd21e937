import { consumerFields, COPY_HOP, HOP_FIELD, type Exchange } from '@portcullis/plugin-runtime';
import { pathAt, type BasedDestination } from '../shared/destination-url.ts';
import { copyLimits, type Copies, type Copy } from './copies.ts';

/** Says to a server that a request is a copy: what it does counts for nobody, and it is not copied again. */
export const SHADOW_HEADER = 'X-Shadow-Request';

/**
 * Copies a request to another server, as it stands now. Without a body the copy leaves at once. A short body is read first, and the request
 * waits until it is there; a long one, or one whose length nobody says, is not copied, and not touched.
 * @returns a promise only while a body is awaited
 */
export function copyRequest(exchange: Exchange, to: BasedDestination, copies: Copies): Promise<void> | undefined {
  const { request } = exchange;
  if (!isCopyable(exchange) || !copies.take()) return undefined;
  if (!request.hasBody) {
    copies.send(copyOf(exchange, to, undefined));
    return undefined;
  }
  return request.readBody(copyLimits.bodyBytesMax, true).then(
    (body) => {
      if (body === undefined) copies.giveUp();
      else copies.send(copyOf(exchange, to, body));
    },
    (error: unknown) => {
      copies.giveUp();
      throw error;
    },
  );
}

/** What is a copy itself is none to copy: one request would become many, without an end where the shadow is behind this very route. */
function isCopyable({ request }: Exchange): boolean {
  if (request.isCopy || request.headers.has(SHADOW_HEADER)) return false;
  if (!request.hasBody) return true;
  const length = request.headers.get('content-length');
  return length !== undefined && /^\d{1,9}$/.test(length) && Number(length) <= copyLimits.bodyBytesMax;
}

function copyOf(exchange: Exchange, { destination, basePath }: BasedDestination, body: Uint8Array | undefined): Copy {
  const { request, consumer } = exchange;
  const { method, query } = request;
  const headers: string[] = [SHADOW_HEADER, '1', HOP_FIELD, COPY_HOP];
  request.headers.forEach((name, value) => headers.push(name, value));
  if (consumer !== undefined) headers.push(...consumerFields(consumer));
  const path = pathAt(basePath, request);
  return { url: `${destination.origin}${path}${query === '' ? '' : `?${query}`}`, method, headers, body };
}
