import type { AiOperation } from '../operation.ts';

const MESSAGE = 'Provider stream interrupted';
const CODE = 'provider_stream_error';

const plain = bytesOf(
  `data: ${JSON.stringify({ error: { message: MESSAGE, type: CODE, param: null, code: CODE } })}\n\n`,
);
const named = bytesOf(
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: CODE, message: MESSAGE } })}\n\n`,
);

/**
 * The last frame of a stream that broke off after it had begun; what came before it are whole frames. No `[DONE]` follows. Source: ai,
 * Streaming.
 */
export function streamErrorFrame(operation: AiOperation): Uint8Array {
  return operation === 'messages' ? named : plain;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
