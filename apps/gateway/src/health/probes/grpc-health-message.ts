/** What has come of the answer's body. */
export interface FirstMessage {
  bytes: Buffer;
}

/** Takes a chunk in. @returns whether the body is within its bound */
export function nextMessage(message: FirstMessage, chunk: Buffer, bytesMax: number): boolean {
  if (message.bytes.length + chunk.length > bytesMax) return false;
  message.bytes = Buffer.concat([message.bytes, chunk]);
  return true;
}

/** `HealthCheckResponse.ServingStatus` of an endpoint that takes requests. */
const serving = 1;

/**
 * Whether a body is one whole gRPC message, uncompressed, whose field 1 (`status`, a varint) is SERVING. Fields are read in
 * order, the last one counts, unknown ones are passed over. Source: the health checking protocol of gRPC.
 */
export function isServing(body: Buffer): boolean {
  if (body.length < 5 || body[0] !== 0 || body.readUInt32BE(1) !== body.length - 5) return false;
  let status = 0;
  let place: number | undefined = 5;
  while (place !== undefined && place < body.length) {
    const key = varint(body, place);
    if (key === undefined) return false;
    const field = key.value >>> 3;
    const end = fieldEnd(body, key.end, key.value & 7);
    if (end === undefined) return false;
    if (field === 1 && (key.value & 7) === 0) status = varint(body, key.end)?.value ?? 0;
    place = end;
  }
  return status === serving;
}

/** Where a field's value ends, by its wire type; `undefined` when it does not end within the body. */
function fieldEnd(body: Buffer, place: number, wireType: number): number | undefined {
  const end = endOf(body, place, wireType);
  return end !== undefined && end <= body.length ? end : undefined;
}

function endOf(body: Buffer, place: number, wireType: number): number | undefined {
  if (wireType === 0) return varint(body, place)?.end;
  if (wireType === 1) return place + 8;
  if (wireType === 5) return place + 4;
  if (wireType !== 2) return undefined;
  const length = varint(body, place);
  return length && length.end + length.value;
}

/** A number of up to 32 bits; longer ones are read to their end and cut. */
function varint(body: Buffer, place: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    const byte = body[place + index];
    if (byte === undefined) return undefined;
    if (index < 5) value = (value | ((byte & 0x7f) << (index * 7))) >>> 0;
    if (byte < 0x80) return { value, end: place + index + 1 };
  }
  return undefined;
}
