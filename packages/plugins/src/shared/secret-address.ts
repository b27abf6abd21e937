/**
 * The mark of a field that holds an address: see {@link isShownAddress}. What is no such address, a mask for instance, is treated as
 * a secret, so that masks find theirs again.
 */
export const SECRET_ADDRESS = { 'x-secret': 'address' } as const;

/**
 * Whether an address may be shown wherever the config is. Services that take records let their key stand in the query (`?dd-api-key=`,
 * `?code=`, `?sig=`), and some in the path (`/receiver/v1/http/<key>`): then all of the address is a secret, as are texts that are none.
 * Source: security, Redaction: what may be a key is one.
 */
export function isShownAddress(text: string): boolean {
  const path = /^https?:\/\/[^/?#@\\]+([^?#@\\]*)$/i.exec(text)?.[1];
  return path !== undefined && !path.split('/').some(isLikeKey);
}

/** Words of paths are shorter, or have no digit in them. */
function isLikeKey(part: string): boolean {
  return part.length >= KEY_LENGTH_MIN && /\d/.test(part);
}

/** Keys that services make have 20 characters and more. */
const KEY_LENGTH_MIN = 20;
