import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** A content coding that bodies are read from and written in. Source: RFC 9110, 8.4.1; RFC 7932; RFC 8878. */
export type BodyEncoding = 'gzip' | 'br' | 'deflate' | 'zstd';

/**
 * A decoded body may have this many times the bytes of the coded one. JSON and XML of real services stay below 60; bombs have 1,000 and
 * more. Source: security, Decompression.
 */
export const DECODED_RATIO_MAX = 100;

/** Bytes that are decoded whatever the ratio: short bodies of much the same are no bombs. */
export const DECODED_BYTES_FREE = 65_536;

/** What a `content-encoding` value says: a coding that is read here, none (`undefined`), or one that is not, or several. */
export function encodingSaid(value: string | undefined): BodyEncoding | 'other' | undefined {
  if (value === undefined) return undefined;
  const coding = value.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return undefined;
  if (coding === 'x-gzip') return 'gzip';
  // Before Node 22.15 there is no zstd.
  if (coding === 'zstd') return typeof zlib.zstdDecompress === 'function' ? 'zstd' : 'other';
  return coding === 'gzip' || coding === 'br' || coding === 'deflate' ? coding : 'other';
}

/**
 * Decodes a body, outside the thread that serves requests.
 * @param bytesMax of the decoded body
 * @returns `too_large` for more than `bytesMax` bytes or than {@link DECODED_RATIO_MAX} allows; `broken` for what is no such coding,
 * ends too early, or has something behind its end
 */
export async function decodedBody(
  bytes: Uint8Array,
  encoding: BodyEncoding,
  bytesMax: number,
): Promise<Uint8Array | 'too_large' | 'broken'> {
  const maxOutputLength = Math.min(bytesMax, Math.max(DECODED_BYTES_FREE, bytes.length * DECODED_RATIO_MAX));
  try {
    const { buffer, engine } = await decoderOf(bytes, encoding)(bytes, { maxOutputLength, info: true });
    // Other readers go on where the platform's stops, with a second frame for instance: they would see more than was looked at here.
    return engine.bytesWritten === bytes.length ? buffer : 'broken';
  } catch (error) {
    return isTooLong(error) ? 'too_large' : 'broken';
  }
}

/** Codes a body as the one that it takes the place of was. */
export async function encodedBody(text: string, encoding: BodyEncoding): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  if (encoding === 'gzip') return promisify(zlib.gzip)(bytes);
  if (encoding === 'deflate') return promisify(zlib.deflate)(bytes);
  if (encoding === 'zstd') return promisify(zlib.zstdCompress)(bytes);
  return promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress)(bytes, BROTLI);
}

/** The library's own quality, 11, takes seconds for a mebibyte. */
const BROTLI: zlib.BrotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

/** With `info` decoders say how much of the bytes they took: the types of the platform's library do not know that. */
type Decoder = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly info: true },
) => Promise<{ readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } }>;

function decoderOf(bytes: Uint8Array, encoding: BodyEncoding): Decoder {
  return promisify(platformDecoder(bytes, encoding) as typeof zlib.gunzip) as unknown as Decoder;
}

function platformDecoder(bytes: Uint8Array, encoding: BodyEncoding): typeof zlib.gunzip | typeof zlib.zstdDecompress {
  if (encoding === 'gzip') return zlib.gunzip;
  if (encoding === 'br') return zlib.brotliDecompress;
  if (encoding === 'zstd') return zlib.zstdDecompress;
  return hasZlibHead(bytes) ? zlib.inflate : zlib.inflateRaw;
}

/** `deflate` means the zlib form, but some senders leave its head out. Sources: RFC 9110, 8.4.1.2; RFC 1950, 2.2. */
function hasZlibHead([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
