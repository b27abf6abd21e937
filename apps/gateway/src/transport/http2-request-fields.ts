import { checkField, ofConnections } from './http2-fields.ts';
import type { UpstreamRequest } from './upstream-transport.ts';

/**
 * A request's head as HTTP/2 carries it: pseudo-fields first, names in lower case, no fields of HTTP/1's connections. Whoever takes
 * trailers says so by `te`, which gRPC's servers insist on.
 * @throws TypeError for a field that no version of HTTP can carry
 */
export function http2RequestFields(request: UpstreamRequest, scheme: 'http' | 'https'): string[] {
  const { method, path, headers, body } = request;
  if (notInPaths.test(path)) throw new TypeError('the path has a character that must be encoded');
  const fields = [':method', method, ':scheme', scheme, ':authority', '', ':path', path];
  let takesTrailers = false;
  let isGrpc = false;
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    const value = headers[at + 1] ?? '';
    if (name === 'host') {
      checkField(name, value);
      fields[authorityAt] = value;
      continue;
    }
    if (name === 'te') takesTrailers ||= /\btrailers\b/i.test(value);
    if (ofConnections.has(name)) continue;
    if (name === 'content-length') {
      // A body that is in memory says its own length; one that is not there has none.
      if (body === undefined || body instanceof Uint8Array) continue;
    } else if (name === 'content-type') isGrpc = value.startsWith('application/grpc');
    checkField(name, value);
    fields.push(name, value);
  }
  if (body instanceof Uint8Array && body.length > 0) fields.push('content-length', String(body.length));
  if (takesTrailers || isGrpc) fields.push('te', 'trailers');
  return fields;
}

const authorityAt = 5;
const notInPaths = /[^\x21-\xff]/;
