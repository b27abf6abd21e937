import type { IncomingHttpHeaders } from 'node:http';
import { startUpstream } from '@portcullis/testkit';
import type { Upstream } from '@portcullis/testkit';
import type { Canaries } from './canaries.ts';
import type { SecretRecord } from './canary-records.ts';

/** A service that plugins and integrations call. */
export interface CarelessService {
  readonly upstream: Upstream;
  /** Whether it does what it is asked. Else it refuses, and says with what credentials it was asked. */
  isWilling: boolean;
}

/** Starts a service that says what it was sent, as careless services do. */
export async function startCarelessService(): Promise<CarelessService> {
  const service = {
    isWilling: false,
    upstream: await startUpstream((_request, response, { url, headers, body }) => {
      const said = { message: url, error: { message: JSON.stringify(headers), code: url }, errors: [headers] };
      // What clients themselves sent is theirs to see: the gateway's own service says nothing of it.
      if (url.startsWith('/quiet')) return void response.end('done');
      const status = service.isWilling ? 200 : 401;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(!service.isWilling && saidInHeaders(url, headers)),
      });
      response.end(JSON.stringify(service.isWilling ? willing : { ...said, body: body.toString() }));
    }),
  };
  return service;
}

/** What all kinds of systems answer, in one. */
const willing = {
  ...{ item: [], items: [], apis: [], totalCount: 0, offset: 0, result: [] },
  ...{ data: { name: 'acme', plan: { name: 'Standard' } }, entry: [{ content: { version: '9', serverName: 's' } }] },
  paging: { total: 0 },
};

function saidInHeaders(url: string, { authorization = '' }: IncomingHttpHeaders): Record<string, string> {
  return { 'x-request-id': authorization || url, 'www-authenticate': `Bearer error="${authorization}"` };
}

/** Requests that a record's secrets open routes to, and such that they do not: a header each. */
function credentialsOf({ secrets }: SecretRecord): readonly Readonly<Record<string, string>>[] {
  return [...secrets.values()].flatMap((secret) => [
    { 'x-api-key': secret },
    { authorization: `Basic ${Buffer.from(`ops:${secret}`).toString('base64')}` },
    { authorization: `Basic ${Buffer.from(`kim:${secret}`).toString('base64')}` },
    { authorization: `Bearer ${secret}` },
    { cookie: `session=${secret}` },
  ]);
}

const asked = (model: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer a.token.of-nobody' },
  body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
});

/**
 * Sends requests to the routes that have a plugin with secrets: without credentials, with wrong ones, and with the right ones.
 * @returns how many requests were answered
 */
export async function sendTraffic(url: string, canaries: Canaries, records: readonly SecretRecord[]): Promise<number> {
  const paths = records
    .filter(({ collection }) => collection.endsWith('/routes'))
    .map(({ body }) => String(body['path']));
  const known = records.filter(({ name }) => /_auth$|oauth2$|consumer-credentials/.test(name)).flatMap(credentialsOf);
  const models = ['first', 'second', 'third', 'd/a', 'none'].map(asked);
  let answered = 0;
  const send = async (path: string, request: RequestInit): Promise<void> => {
    const answer = await fetch(url + path, { ...request, redirect: 'manual' });
    const head = JSON.stringify([...answer.headers]);
    canaries.look(
      `${path.includes('ai-proxy') ? 'AI traffic' : 'traffic'} to ${path}`,
      `${answer.status} ${head} ${await answer.text()}`,
    );
    answered += 1;
  };
  for (const path of paths) {
    await Promise.all([{}, ...models].map((request) => send(`${path}/v1/chat/completions`, request)));
    if (/auth|oauth2/.test(path)) {
      for (const headers of known) await send(path, { headers });
    }
  }
  return answered;
}
