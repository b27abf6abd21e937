/**
 * The host that routes are matched with: lower case, without port and without the root's trailing dot.
 * @param authority value of the `Host` header or of an absolute target
 * @returns `undefined` when the text is no authority
 */
export function hostOfAuthority(authority: string): string | undefined {
  if (!validAuthority.test(authority)) return undefined;
  const colon =
    authority.charCodeAt(0) === 0x5b ? authority.indexOf(':', authority.indexOf(']')) : authority.indexOf(':');
  const host = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

const validAuthority = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;
