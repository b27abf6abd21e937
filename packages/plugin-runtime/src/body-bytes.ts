const encoder = new TextEncoder();

/**
 * A body that a plugin gave, as bytes.
 * @throws TypeError when it is neither text nor bytes
 */
export function encodeBody(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('a body is text or bytes');
}
