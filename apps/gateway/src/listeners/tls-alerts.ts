import type { Socket } from 'node:net';

/** Alerts that are sent before OpenSSL has a connection. Source: RFC 8446, section 6; RFC 6066, section 3. */
export const alerts = { decodeError: 50, internalError: 80, unrecognizedName: 112 } as const;

const alertRecord = 21;
const fatal = 2;

/** Says why TLS does not begin. The record's version is the one that every client reads. */
export function sendAlert(socket: Socket, alert: number): void {
  socket.write(Buffer.from([alertRecord, 3, 3, 0, 2, fatal, alert]));
}
