/** A piece of a response's body on its way to the client, as it came from the upstream or from the hook before. */
export interface StreamChunk {
  /** Read-only: return other bytes instead. As coded by `content-encoding`. Valid until the hook's result is taken. */
  readonly bytes: Uint8Array;
  /** Counts the host's chunks of one response from 0. Hooks that drop or grow chunks do not change it. */
  readonly index: number;
  /** Whether nothing comes after it. The last chunk may be empty: what a hook held back, it gives here. */
  readonly last: boolean;
}

/**
 * What a `stream` hook returns: nothing (the chunk goes on), other bytes in its place (empty drops it), or a reason to end
 * the response unfinished. The reason is told to the host, not to the client.
 */
export type StreamResult = void | undefined | { readonly bytes: Uint8Array } | { readonly cut: string };

/** What becomes of a chunk: the bytes to send, or `failed`: the host cuts the response; `exchange.failure` says why. */
export type StreamOutcome = Uint8Array | 'failed';
