import type { ExchangeState } from '../exchange-state.ts';
import type { BodyKeeper } from './body-keeper.ts';
import { consumerFields, IDENTITY_FIELDS } from './consumer-headers.ts';
import { asBodyInit } from './web-response.ts';

/** The request as the plugins left it, with the fields that say who the client is. Its URL is at the destination where there is one. */
export function forwardedRequest(exchange: ExchangeState, request: Request, body: BodyKeeper): Request {
  const { method, headers, destination, path, query } = exchange.request;
  const url = destination === undefined ? exchange.request.url : `${destination.origin}${path}${query && `?${query}`}`;
  const fields = new Headers();
  headers.forEach((name, value) => fields.append(name, value));
  if (exchange.consumer !== undefined) {
    // A plugin's own fields of these names give way: there is one identity.
    for (const name of IDENTITY_FIELDS) fields.delete(name);
    const identity = consumerFields(exchange.consumer);
    for (let index = 0; index < identity.length; index += 2) {
      fields.set(identity[index] as string, identity[index + 1] as string);
    }
  }
  const payload = asBodyInit(exchange.request.body) ?? body.toBody();
  // Where a destination redirects to is the client's to follow: the plugins chose this one.
  const redirect = destination === undefined ? request.redirect : 'manual';
  const init: RequestInit = { method, headers: fields, signal: request.signal, redirect };
  if (payload !== null && method !== 'GET' && method !== 'HEAD') {
    return new Request(url, { ...init, body: payload, duplex: 'half' });
  }
  // The web's GET and HEAD have no body, also when a plugin gave one: nothing may announce it.
  fields.delete('content-length');
  fields.delete('transfer-encoding');
  return new Request(url, init);
}
