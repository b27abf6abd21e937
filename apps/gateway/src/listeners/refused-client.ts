import type { TLSSocket } from 'node:tls';
import type { DeadlineWatch } from '@portcullis/egress';
import type { ConnectionEnds } from '../transport/connection-facts.ts';
import { type MalformedAnswer, refuseBytes } from '../transport/malformed.ts';
import { FirstBytes, type Judge } from './first-bytes.ts';

/** How long a client may take to read why it was refused, before its connection is cut. */
export const lingerMs = 2000;

/** How long it may take to ask: what it reads before it asked, some clients take for no answer. */
const askWithinMs = 10_000;

/** What a refusal needs. */
export interface RefusedClient {
  readonly ends: ConnectionEnds;
  /** Whether an answer in HTTP is one in the client's own protocol, where it is not HTTP/2. */
  readonly speaksHttp: boolean;
  readonly watch: DeadlineWatch;
  readonly malformedAnswer: MalformedAnswer;
}

const detail = 'the client certificate is not trusted';

/**
 * Says in the client's own protocol that its certificate is not trusted, and ends the connection. In TLS 1.3 a client is through with its
 * handshake before anybody looks at what it showed, and Node sends no alert of its own choice: without a word it would see a reset.
 * What the client sends is thrown away; no server and no route ever gets the connection.
 */
export function refuseClient(socket: TLSSocket, { ends, speaksHttp, watch, malformedAnswer }: RefusedClient): void {
  socket.on('error', ignore);
  const isHttp2 = socket.alpnProtocol === 'h2';
  const refuse = (): void => {
    socket.resume();
    if (isHttp2) socket.end(http2Refusal);
    else if (speaksHttp) {
      const { peerAddress } = ends;
      const refusal = { status: 400, code: 'client_certificate_untrusted', detail, peerAddress, underway: false };
      refuseBytes(socket, refusal, malformedAnswer);
    } else socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
  if (!isHttp2 && !speaksHttp) {
    refuse();
    return;
  }
  const outcome = { onVerdict: refuse, onFailure: () => void socket.destroy() };
  new FirstBytes(socket, judgeAnything, 1, watch, performance.now() + askWithinMs, outcome).start();
}

const judgeAnything: Judge<true> = (bytes) => ({ verdict: true, taken: bytes.length });

/** `INADEQUATE_SECURITY` of RFC 9113, section 7. */
const inadequateSecurity = 0xc;

/** The preface of a server, which is SETTINGS, and GOAWAY for all streams with the reason as its text. */
const http2Refusal = Buffer.concat([
  frame(4, Buffer.alloc(0)),
  frame(7, Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, inadequateSecurity]), Buffer.from(detail)])),
]);

/** A frame of the connection. Source: RFC 9113, section 4.1. */
function frame(type: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0, payload.length, type, 0, 0, 0, 0, 0]), payload]);
}

function ignore(): void {
  // `close` follows.
}
