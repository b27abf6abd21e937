import { constants } from 'node:http2';
import { failures } from './upstream-failures.ts';
import type { UpstreamFailure } from './upstream-transport.ts';

/**
 * What it means that a stream was reset, or that its connection ended, before its answer was whole.
 * @param code of the reset
 * @param isUnseen whether the upstream has said that it did not look at the request
 */
export function streamFailure(code: number, isUnseen: boolean): UpstreamFailure {
  // RFC 9113, section 8.7: both promise that nothing was done.
  if (isUnseen || code === constants.NGHTTP2_REFUSED_STREAM) return failures.unprocessed;
  return malformed.has(code) ? failures.malformed : failures.reset;
}

const malformed: ReadonlySet<number> = new Set([
  constants.NGHTTP2_PROTOCOL_ERROR,
  constants.NGHTTP2_FLOW_CONTROL_ERROR,
  constants.NGHTTP2_FRAME_SIZE_ERROR,
  constants.NGHTTP2_COMPRESSION_ERROR,
]);
