import type { ExchangeState } from '../exchange-state.ts';

/**
 * A response's body that tells its end, for plugins that hold something until then. It is read as its reader asks for it.
 * @param onEnd told whether the body was read to its end
 */
export function watchedBody(
  exchange: ExchangeState,
  source: ReadableStream<Uint8Array>,
  onEnd: (isComplete: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) {
            controller.enqueue(value);
            return;
          }
          controller.close();
          onEnd(true);
        } catch (error) {
          onEnd(false);
          throw error;
        }
      },
      cancel: async (reason) => {
        exchange.abort();
        onEnd(false);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
