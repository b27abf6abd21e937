/** A message as the wire has it: values of each field by its number, in order. Source: Protocol Buffers, Encoding. */
export type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Reads one message. Fixed and length-delimited fields are bytes, the others numbers. @throws Error for what is none */
export function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined || shift > 63n) throw new Error('a number without an end');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a field that is cut');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(key >>> 3, [...(fields.get(key >>> 3) ?? []), value]);
  }
  return fields;
}

/** The messages of a field. */
export function messagesOf(message: Message, field: number): readonly Message[] {
  return bytesOf(message, field).map((bytes) => readMessage(bytes));
}

/** The bytes of a field. */
export function bytesOf(message: Message, field: number): readonly Buffer[] {
  return (message.get(field) ?? []).filter((value) => typeof value !== 'bigint');
}

/** A text; empty where the field is not there. */
export function textOf(message: Message, field: number): string {
  return bytesOf(message, field)[0]?.toString('utf8') ?? '';
}

/** A number of whatever form; 0 where the field is not there. */
export function numberOf(message: Message, field: number): number {
  const [value] = message.get(field) ?? [];
  if (value === undefined || typeof value === 'bigint') return Number(value ?? 0n);
  return Number(value.length === 8 ? value.readBigUInt64LE() : value.readUInt32LE());
}
