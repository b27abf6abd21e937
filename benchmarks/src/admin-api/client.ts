import { Pool } from 'undici';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A caller of the administration API over a fixed number of keep-alive connections. */
export interface Client {
  /** Sends a request and reads the whole answer. */
  send(method: Method, path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }>;
  /** The answer's document. @throws Error naming the request when the status is another one */
  expect(method: Method, path: string, status: number, body?: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** @param connections as many requests are under way at most: none waits behind another on its connection */
export function openClient(url: string, token: string | undefined, connections: number): Client {
  const pool = new Pool(url, { connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const send: Client['send'] = async (method, path, body) => {
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  };
  return {
    send,
    async expect(method, path, wanted, body) {
      const { status, text } = await send(method, path, body);
      if (status !== wanted) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 1000)}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
    close: () => pool.close(),
  };
}
