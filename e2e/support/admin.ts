/** An answer of the administration API. */
export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** Calls the administration API as one caller. */
export interface Admin {
  readonly url: string;
  /** What it signs in with; nothing for an anonymous caller. */
  readonly token: string | undefined;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<AdminAnswer>;
}

/** A caller with a token; without one, an anonymous caller. A string body is sent as it is. */
export function adminWith(url: string, token: string | undefined): Admin {
  return {
    url,
    token,
    async call(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
      return {
        status: response.status,
        headers: response.headers,
        body: isJson && text !== '' ? JSON.parse(text) : text,
      };
    },
  };
}

/** Signs in. @throws when the password is refused */
export async function signIn(url: string, username: string, password: string, tenantId?: string): Promise<Admin> {
  const answer = await adminWith(url, undefined).call('POST', '/auth/login', {
    username,
    password,
    ...(tenantId !== undefined && { tenant_id: tenantId }),
  });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return adminWith(url, String(answer.body.access_token));
}
