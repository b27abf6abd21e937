import type { Metrics } from './metrics.ts';
import { jsonAnswer, type StatusPage } from './status-pages.ts';

/** What the gateway serves; `undefined` before the first configuration, and while it stops. */
export type Serving = () => { readonly revision: number; readonly hash: string } | undefined;

/** `/health` while the process lives, `/ready` once it has a configuration and until it stops, `/metrics`. */
export function probePages(serving: Serving, metrics: Metrics): readonly (readonly [string, StatusPage])[] {
  return [
    ['/health', () => jsonAnswer(200, { status: 'ok' })],
    ['/ready', () => readyAnswer(serving())],
    [
      '/metrics',
      async () => {
        const { text, contentType } = await metrics.scrape();
        return { status: 200, headers: { 'content-type': contentType }, body: text };
      },
    ],
  ];
}

/** Ready, and with what; 503 when there is nothing to serve. */
export function readyAnswer(served: ReturnType<Serving>): ReturnType<typeof jsonAnswer> {
  return served === undefined
    ? jsonAnswer(503, { status: 'not_ready' })
    : jsonAnswer(200, { status: 'ready', revision: served.revision, hash: served.hash });
}
