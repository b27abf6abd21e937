/** Characters of chunk extensions in one line, which nobody reads. */
const extensionLengthMax = 4096;

/** By so much the extensions of an answer may be longer than its body: bytes that nobody reads cost their reading all the same. */
const spareExtensionBytes = 64 * 1024;

/** Digits of a size: more would be more than a number holds. */
const digitsMax = 13;

const cr = 0x0d;
const lf = 0x0a;
const semicolon = 0x3b;

/** Where in the framing of chunks an answer stands: in a line that says a size, or in the one behind a chunk's bytes. */
type Place = 'size' | 'blanks' | 'extension' | 'sizeEnd' | 'chunkEnd' | 'chunkEndLf';

/** Reads what stands between the chunks of a body, byte by byte: no more of it than a number is kept. Source: RFC 9112, section 7.1. */
export class ChunkFraming {
  /** Size of the chunk that follows; 0: the last one. Known once {@link take} said so. */
  size = 0;
  isMalformed = false;
  #place: Place = 'size';
  #digits = 0;
  #extension = 0;
  /** Bytes of extensions that the answer may have besides those it had. */
  #extensionsLeft = 0;

  /** Before the first chunk. */
  begin(): void {
    this.#beginLine('size');
    this.#extensionsLeft = spareExtensionBytes;
  }

  /** Behind the bytes of a chunk. */
  endChunk(): void {
    this.#extensionsLeft += this.size;
    this.#beginLine('chunkEnd');
  }

  /** @returns where the chunk's bytes begin, or -1 while its size is not known, or when {@link isMalformed} */
  take(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#place === 'sizeEnd') {
        if (byte === lf) return at + 1;
        this.isMalformed = true;
      } else if (!this.#step(byte)) this.isMalformed = true;
      if (this.isMalformed) return -1;
    }
    return -1;
  }

  #step(byte: number): boolean {
    switch (this.#place) {
      case 'size':
        return this.#takeDigit(byte);
      case 'blanks':
        // Another size, say, would be read as one by others.
        if (byte === cr) {
          this.#place = 'sizeEnd';
          return true;
        }
        if (byte === semicolon) this.#place = 'extension';
        else if (!isBlank(byte)) return false;
        return this.#countExtension();
      case 'extension':
        if (byte === cr) this.#place = 'sizeEnd';
        return byte === cr || (isText(byte) && this.#countExtension());
      case 'chunkEnd':
        this.#place = 'chunkEndLf';
        return byte === cr;
      default:
        this.#place = 'size';
        return byte === lf;
    }
  }

  #beginLine(place: Place): void {
    this.#place = place;
    this.size = 0;
    this.#digits = 0;
    this.#extension = 0;
  }

  #countExtension(): boolean {
    this.#extension += 1;
    this.#extensionsLeft -= 1;
    return this.#extension <= extensionLengthMax && this.#extensionsLeft >= 0;
  }

  #takeDigit(byte: number): boolean {
    const digit = hexadecimal(byte);
    if (digit !== -1) {
      this.size = this.size * 16 + digit;
      this.#digits += 1;
      return this.#digits <= digitsMax;
    }
    this.#place = 'blanks';
    return this.#digits > 0 && this.#step(byte);
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function isText(byte: number): boolean {
  return byte === 0x09 || (byte >= 0x20 && byte !== 0x7f);
}

/** @returns -1 for what is no digit */
function hexadecimal(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
