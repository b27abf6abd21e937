/** An answer of the control plane. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- campaigns look into answers of every shape
  readonly body: any;
}

/** Calls the control plane as its super administrator. */
export interface Client {
  /** Where the control plane listens. */
  readonly url: string;
  /** @param body a text is sent as it is */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** The answer's document. @throws Error naming the request when the status is another one */
  expect(method: string, path: string, status: number, body?: unknown): Promise<Answer['body']>;
}

/** @param token bearer token; none for an anonymous caller */
export function clientOf(url: string, token: string | undefined): Client {
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/(?:problem\+)?json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  };
  return {
    url,
    call,
    async expect(method, path, wanted, body) {
      const answer = await call(method, path, body);
      if (answer.status === wanted) return answer.body;
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 2000)}`);
    },
  };
}
