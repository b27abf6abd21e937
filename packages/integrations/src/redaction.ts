const REDACTED = '[redacted]';

/** Shorter texts stand in many answers by chance: they are looked for as whole values alone. In characters. */
const LENGTH_MIN = 8;

/**
 * Takes a sync's secrets out of what it tells. Systems echo what they are sent: in an identifier of a request, in a name. The secrets are looked
 * for as they are, in base64 and percent-encoded.
 */
export class Redaction {
  /** Longest first, lest a part of one hides the rest of another. */
  readonly #needles: readonly string[];
  readonly #short: ReadonlySet<string>;

  constructor(secrets: unknown) {
    const texts = [...new Set(textsOf(secrets).flatMap(spellings))];
    this.#short = new Set(texts.filter((text) => text.length < LENGTH_MIN));
    this.#needles = texts.filter((text) => text.length >= LENGTH_MIN).sort((left, right) => right.length - left.length);
  }

  /** A copy in which no text and no name of a field holds a secret. For plain data. */
  without<Value>(value: Value): Value {
    return this.#cleaned(value) as Value;
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#cleaned(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.#text(name), this.#cleaned(item)]));
  }

  /** A text that the other system said, where a short secret is one as well: our own words may be somebody's user name by chance. */
  said(text: string): string {
    return this.#short.has(text) ? REDACTED : this.#text(text);
  }

  /** The beginning of such a text. A secret that the cut would go through is no secret any more that could be found, so it is taken out whole. */
  saidBeginning(text: string, lengthMax: number): string {
    if (text.length <= lengthMax) return this.said(text).slice(0, lengthMax);
    let end = lengthMax;
    for (const needle of this.#needles) {
      const from = Math.max(0, end - needle.length + 1);
      const at = text.slice(from, end + needle.length - 1).indexOf(needle);
      if (at !== -1) end = from + at + needle.length;
    }
    return this.#text(text.slice(0, end)).slice(0, lengthMax);
  }

  #text(text: string): string {
    let clean = text;
    for (const needle of this.#needles) clean = clean.replaceAll(needle, REDACTED);
    return clean;
  }
}

/** Every secret, and user and password as Basic authentication joins them. */
function textsOf(secrets: unknown): string[] {
  if (typeof secrets !== 'object' || secrets === null) return [];
  const fields = secrets as Readonly<Record<string, unknown>>;
  const texts = Object.values(fields).filter((value) => typeof value === 'string');
  const { username, password } = fields;
  return typeof username === 'string' && typeof password === 'string' ? [...texts, `${username}:${password}`] : texts;
}

function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  return [text, bytes.toString('base64'), bytes.toString('base64url'), encodeURIComponent(text.toWellFormed())];
}
