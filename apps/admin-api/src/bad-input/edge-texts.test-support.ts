import type { Schema } from '../isolation/described-operations.test-support.ts';

/** Makes a text of exactly that many characters which the field takes, different for each mark. */
type EdgeText = (length: number, mark: string) => string;

const padded = (head: string, tail: string, length: number, filler = 'a'): string =>
  head + filler.repeat(Math.max(0, length - head.length - tail.length)) + tail;

/** A host name of labels as long as they may be. Source: RFC 1035, 2.3.4. */
const hostName: EdgeText = (length, mark) => {
  const label = 'h'.repeat(61);
  const labels = `${mark.slice(0, length)}${`.${label}`.repeat(5)}`.slice(0, length);
  return labels.endsWith('.') ? `${labels.slice(0, -1)}h` : labels;
};

const webAddress: EdgeText = (length, mark) => padded(`https://${mark}.test/`, '', length);

/** The length alone says nothing about whether such a text is taken. */
const depends = 'depends';

/**
 * Texts whose form the description cannot say as a pattern, by family and place, with `0` for each index. Where nothing can be
 * made of a given length, the text is `depends`.
 */
const edgeTexts: Readonly<Record<string, EdgeText | typeof depends>> = {
  'gateways/proxy_url': webAddress,
  'gateways/hosts/0': hostName,
  'services/url': webAddress,
  'routes/hosts/0': hostName,
  'routes/snis/0': hostName,
  'snis/name': hostName,
  'certificates/snis/0': hostName,
  // What a PEM text holds decides, and keys come in few lengths.
  'certificates/cert': depends,
  'certificates/key': depends,
  'certificates/cert_alt': depends,
  'certificates/key_alt': depends,
  'ca-certificates/cert': depends,
  // As a text it is a whole description.
  'service-versions/spec': depends,
  // Each target has a form of its own.
  'service-versions/package_name': depends,
  'consumer-credentials/public_key': depends,
};

/** Whether a field takes texts of a form of its own only. */
export function hasOwnForm({ tag, pointer }: { readonly tag: string; readonly pointer: string }): boolean {
  return `${tag}${pointer}` in edgeTexts;
}

/** Fillers to try for a pattern, after what they begin with. */
const fillers: readonly (readonly [string, string])[] = [
  ['', 'a'],
  ['', 'A'],
  ['', '0'],
  ['/', 'a'],
  ['a', '.a'],
];

/** A text of that length for a field, or nothing when none is known. */
export function edgeText(
  place: { readonly tag: string; readonly pointer: string },
  schema: Schema,
  length: number,
  mark: string,
): string | undefined {
  const known = edgeTexts[`${place.tag}${place.pointer}`];
  if (known === depends) return undefined;
  if (known) return known(length, mark);
  const form = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern']) : undefined;
  return fillers
    .map(([head, filler]) => (head + distinct(length - head.length, mark, filler)).slice(0, length))
    .find((text) => text.length === length && (!form || form.test(text)));
}

/** A text that ends with as much of the mark as fits. */
function distinct(length: number, mark: string, filler: string): string {
  if (length <= 0) return '';
  const tail = mark.slice(-length);
  const padding = filler.repeat(length).slice(0, length - tail.length);
  return padding + tail;
}

/** A bound that a schema sets by a keyword such as `maxLength`. */
export function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}
