import type { ExchangeState } from '../exchange-state.ts';

/**
 * A response's body that tells its end, for plugins that hold something until then. It is read as its reader asks for it.
 * @param onEnd told whether the body was read to its end, and how many bytes of it were
 */
export function watchedBody(
  exchange: ExchangeState,
  source: ReadableStream<Uint8Array>,
  onEnd: (isComplete: boolean, bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) {
            bytes += value.byteLength;
            controller.enqueue(value);
            return;
          }
          controller.close();
          onEnd(true, bytes);
        } catch (error) {
          onEnd(false, bytes);
          throw error;
        }
      },
      cancel: async (reason) => {
        exchange.abort();
        onEnd(false, bytes);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
