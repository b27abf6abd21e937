/** Secrets of systems that take a token, or user and password. */
interface Given {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** How a system is told who asks. */
export interface Credentials {
  readonly mode: 'token' | 'basic';
  /** The value of `Authorization`. */
  readonly authorization: string;
}

/** The token counts when both are given. Source: spec, Integration driver configuration; RFC 6750, section 2.1; RFC 7617, section 2. */
export function tokenOrBasic({ token, username = '', password = '' }: Given): Credentials {
  if (token !== undefined) return { mode: 'token', authorization: `Bearer ${token}` };
  return { mode: 'basic', authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
