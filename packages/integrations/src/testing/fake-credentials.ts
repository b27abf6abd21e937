/** Who may ask: with a token, or with user and password. */
export interface FakeCredentials {
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
}

/** Whether `Authorization` has the credentials, in either form. */
export function isAuthorized(header: string | undefined, { token, username, password }: FakeCredentials): boolean {
  if (token !== undefined && header === `Bearer ${token}`) return true;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return username !== undefined && password !== undefined && header === `Basic ${basic}`;
}
