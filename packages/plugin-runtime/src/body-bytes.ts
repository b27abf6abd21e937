const encoder = new TextEncoder();

/**
 * A body that a plugin gave, as bytes of our own: it may change what it gave afterwards.
 * @throws TypeError when it is neither text nor bytes
 */
export function encodeBody(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new TypeError('a body is text or bytes');
}

/** A body that is in memory, for a plugin to read: a copy, or `undefined` for more than `bytesMax` bytes. */
export async function copyOfBody(body: Uint8Array, bytesMax: number): Promise<Uint8Array | undefined> {
  return body.length <= bytesMax ? new Uint8Array(body) : undefined;
}

/** The body of a message that has none. */
export const NO_BYTES: Uint8Array = new Uint8Array(0);
