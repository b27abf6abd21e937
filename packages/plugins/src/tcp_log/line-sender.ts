import type { RecordSender } from '../shared/sinks/record-sender.ts';
import type { ByteConnection } from '../shared/sockets/byte-connection.ts';

/** Writes records as lines, each batch in one piece: the lines of two batches never mix. */
export function lineSender(connection: ByteConnection): RecordSender<string> {
  return {
    send: (lines, signal) => connection.write(Buffer.from(`${lines.join('\n')}\n`), signal),
    close: () => connection.close(),
  };
}
