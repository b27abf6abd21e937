import { randomBytes } from 'node:crypto';

/** What each canary begins with: places without it need no closer look. Letters alone, so that base64 and base64url agree. */
const marker = 'kanarienvogel';

/** A text that was put into one field and belongs nowhere else. */
interface Canary {
  readonly field: string;
  readonly forms: ReadonlyMap<string, string>;
}

/** A place where something that is no secret stood, and whose secret it was. */
export interface Leak {
  readonly place: string;
  /** The field, and the form in which its secret was found. */
  readonly field: string;
}

/** Secrets by the fields that they are in, and the places where any of them was found. */
export class Canaries {
  readonly #made: Canary[] = [];
  readonly #own: Canary[] = [];
  readonly #markers = [...formsOf(Buffer.from(marker)).values()];
  readonly #leaks: Leak[] = [];
  readonly #looked = new Map<string, number>();

  /** A new secret for a field: 31 characters of a-z and 0-9, which every field takes. */
  mint(field: string): string {
    const text = `${marker}${randomBytes(8).toString('hex')}0z`;
    this.#made.push({ field, forms: formsOf(Buffer.from(text)) });
    return text;
  }

  /** Names the field of a secret that is what it is: a token that the server made, a private key in PEM. */
  watch(field: string, text: string): string {
    const bytes = text.startsWith('-----BEGIN') ? keyBytes(text) : [Buffer.from(text)];
    for (const own of bytes) this.#own.push({ field, forms: formsOf(own) });
    return text;
  }

  /** The fields whose secrets stand in a text, with the form they have there. */
  in(text: string): readonly string[] {
    const isMarked = this.#markers.some((form) => text.includes(form));
    const found = [...(isMarked ? this.#made : []), ...this.#own].flatMap(({ field, forms }) =>
      [...forms].filter(([, needle]) => text.includes(needle)).map(([form]) => `${field} (${form})`),
    );
    return [...new Set(found)];
  }

  /**
   * Looks for secrets in what a place shows.
   * @param allowed beginnings of fields that are shown there by design
   */
  look(place: string, shown: string | Uint8Array, allowed: readonly string[] = []): void {
    const text = typeof shown === 'string' ? shown : Buffer.from(shown).toString('latin1');
    this.#looked.set(place, (this.#looked.get(place) ?? 0) + text.length);
    for (const field of this.in(text)) {
      if (!allowed.some((start) => field.startsWith(start))) this.#leaks.push({ place, field });
    }
  }

  /** Leaks in places whose names begin so. @throws when nothing was looked at there: no leak would mean nothing */
  leaks(places: string): readonly Leak[] {
    const looked = [...this.#looked].filter(([place, length]) => place.startsWith(places) && length > 0);
    if (looked.length === 0) throw new Error(`nothing was looked at in ${places}`);
    return this.#leaks.filter(({ place }) => place.startsWith(places));
  }

  /** The fields that have a secret. */
  fields(): readonly string[] {
    return [...new Set([...this.#made, ...this.#own].map(({ field }) => field))];
  }
}

/** How bytes look as they are, in hexadecimal, and in base64 wherever they begin in what is encoded. */
function formsOf(bytes: Buffer): ReadonlyMap<string, string> {
  const hex = bytes.toString('hex');
  const forms = new Map([
    ['as it is', bytes.toString('latin1')],
    ['hex', hex],
    ['upper-case hex', hex.toUpperCase()],
  ]);
  for (const before of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Characters that depend on what stands before or after are left out.
    const inner = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    forms.set(`base64, ${before} bytes on`, inner);
    forms.set(`base64url, ${before} bytes on`, inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** What of a private key is found wherever the key is: letters of its PEM text, and bytes of it that its certificate does not have. */
function keyBytes(pem: string): readonly Buffer[] {
  const text = pem.trim().split('\n').slice(1, -1).join('');
  const der = Buffer.from(text, 'base64');
  // PKCS #8 on P-256: the number stands at 36 to 68. Of an RSA key, the last line and what it stands for.
  const isCurve = der.length < 200;
  const line = isCurve ? text.slice(48, 64) : text.slice(64 * Math.floor(text.length / 64) - 64).slice(0, 64);
  return [Buffer.from(line), isCurve ? der.subarray(38, 66) : der.subarray(-60, -20)];
}
