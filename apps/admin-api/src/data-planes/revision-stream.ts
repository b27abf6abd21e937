import type { Database } from '../database/database.ts';
import { gatewayRevision } from './gateway-revision.ts';

/** How often a comment tells the node that the stream lives. Nodes give a silent stream up after 30 seconds. */
const heartbeatMs = 10_000;

/** Whose stream it is, and what ends it. */
export interface RevisionStreamInput {
  readonly tenantId: string;
  readonly gatewayId: string;
  /** Whether the node's token is still good. Asked at every change of the tenant and of tenants: one that is shut out hears no more. */
  readonly isKnown: () => Promise<boolean>;
  /** Called when a revision was told: the node is about to ask for that configuration. */
  readonly onTold: () => void;
  /** Called once, when the stream is over for whatever reason. */
  readonly onEnd: () => void;
  /** Fires when the node goes away or the service shuts down. */
  readonly signal: AbortSignal;
}

/**
 * Server-sent events that name a gateway's revision: once at the beginning, then after each change that concerns it.
 * Changes that come faster than they are looked up are told as one.
 */
export function revisionStream(database: Database, input: RevisionStreamInput): ReadableStream<Uint8Array> {
  const { tenantId, gatewayId, signal } = input;
  const encoder = new TextEncoder();
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let told = -1;
      let isLooking = false;
      let isStale = true;
      const end = (): void => {
        stop();
        controller.close();
      };
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      const look = async (): Promise<void> => {
        if (isLooking) return;
        isLooking = true;
        while (isStale && !signal.aborted) {
          isStale = false;
          // Side by side: asked one after the other they would only delay the news.
          const [isKnown, revision] = await Promise.all([
            input.isKnown(),
            gatewayRevision(database.read, tenantId, gatewayId),
          ]);
          if (!isKnown) {
            end();
            return;
          }
          if (revision > told && !signal.aborted) {
            send(`event: revision\ndata: {"revision":${revision}}\n\n`);
            // The first one may be what the node has already.
            if (told >= 0) input.onTold();
          }
          told = Math.max(told, revision);
        }
        isLooking = false;
      };
      const lookOrFail = (): void => {
        look().catch((error: unknown) => {
          stop();
          controller.error(error);
        });
      };
      const unsubscribe = database.subscribe((notice) => {
        const concernsTenants = notice.tenantId === '';
        if (notice.tenantId !== tenantId && !concernsTenants) return;
        isStale = true;
        lookOrFail();
      });
      const timer = setInterval(() => send(': alive\n\n'), heartbeatMs);
      stop = () => {
        stop = () => {};
        input.onEnd();
        unsubscribe();
        clearInterval(timer);
        signal.removeEventListener('abort', end);
      };
      signal.addEventListener('abort', end, { once: true });
      // A signal that fired before anyone listened does not fire again.
      if (signal.aborted) end();
      else lookOrFail();
    },
    cancel() {
      stop();
    },
  });
}
