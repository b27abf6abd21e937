import { createGunzip } from 'node:zlib';

/** Long documents by the name of their field: JSON, gzip, base64. */
export type PackedFields = Readonly<Record<string, string>>;

/**
 * The JSON of an object with further fields that are long documents. They are unpacked as they are sent, so that whoever reads slowly keeps
 * no more of them in memory than their packed form.
 * @param body an object with at least one field
 */
export function withPackedFields(body: unknown, packed: PackedFields): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces(JSON.stringify(body), packed));
}

async function* pieces(body: string, packed: PackedFields): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(body.slice(0, -1));
  for (const [name, text] of Object.entries(packed)) {
    yield Buffer.from(`,${JSON.stringify(name)}:`);
    const unpacking = createGunzip();
    unpacking.end(Buffer.from(text, 'base64'));
    yield* unpacking as AsyncIterable<Buffer>;
  }
  yield Buffer.from('}');
}
