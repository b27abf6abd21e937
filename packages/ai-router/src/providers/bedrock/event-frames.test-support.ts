import { crc32 } from 'node:zlib';

/** A message of an AWS event stream: an event of ConverseStream, or an exception. */
export function awsFrame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const written = Buffer.concat(Object.entries(headers).map(([name, value]) => textHeader(name, value)));
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const message = Buffer.alloc(16 + written.length + body.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(written.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  written.copy(message, 12);
  body.copy(message, 12 + written.length);
  message.writeUInt32BE(crc32(message.subarray(0, -4)), message.length - 4);
  return message;
}

/** An event of ConverseStream. */
export function converseEvent(type: string, payload: unknown): Buffer {
  return awsFrame({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }, payload);
}

function textHeader(name: string, value: string): Buffer {
  const head = Buffer.from([0, ...Buffer.from(name), 7, 0, 0]);
  head.writeUInt8(name.length, 0);
  head.writeUInt16BE(Buffer.byteLength(value), head.length - 2);
  return Buffer.concat([head, Buffer.from(value)]);
}
