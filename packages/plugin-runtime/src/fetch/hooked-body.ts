import type { Chain } from '../chain.ts';
import type { ExchangeState } from '../exchange-state.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * A response's body on its way through the stream hooks. A chunk is read when the reader asks for one, and the hooks are done
 * with it before the next one is read. A cut response ends in an error; a reader that leaves ends the exchange.
 * @param source bytes, a stream, or nothing; the hooks see the end of an empty body too
 * @param onEnd called when no hook will run any more, and told whether the body was read to its end and how many bytes of it were
 */
export function hookedBody(
  chain: Chain,
  exchange: ExchangeState,
  source: Uint8Array | ReadableStream<Uint8Array> | null,
  onEnd: (isComplete: boolean, bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = source instanceof ReadableStream ? source.getReader() : undefined;
  let index = 0;
  let sentBytes = 0;
  const next = async (): Promise<{ readonly bytes: Uint8Array; readonly last: boolean }> => {
    if (reader === undefined) return { bytes: source instanceof Uint8Array ? source : NO_BYTES, last: true };
    const { value, done } = await reader.read();
    return { bytes: value ?? NO_BYTES, last: done };
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (let isPassed = false; !isPassed;) {
      const { bytes, last } = await next();
      // Not the hooks' mistake: they are given bytes, or nothing.
      if (!(bytes instanceof Uint8Array)) throw new TypeError('the body of the response is not made of bytes');
      const called = chain.runStream(exchange, { bytes, index, last });
      const outcome = called instanceof Promise ? await called : called;
      index += 1;
      if (outcome === 'failed') throw new TypeError('the response was cut');
      if (outcome.length > 0) {
        sentBytes += outcome.length;
        controller.enqueue(outcome);
      }
      if (last) {
        controller.close();
        onEnd(true, sentBytes);
      }
      isPassed = last || outcome.length > 0;
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) =>
        pull(controller).catch(async (error: unknown) => {
          onEnd(false, sentBytes);
          await reader?.cancel(error).catch(() => undefined);
          throw error;
        }),
      cancel: async (reason) => {
        exchange.abort();
        onEnd(false, sentBytes);
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
