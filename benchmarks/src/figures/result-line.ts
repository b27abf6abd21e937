/** Figures by name, in groups as deep as a scenario needs. `null`: not measured. */
export interface FigureTree {
  readonly [name: string]: number | string | boolean | null | FigureTree;
}

/** What a scenario found. */
export interface BenchResult {
  readonly bench: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly figures: FigureTree;
}

const digits = 4;

/**
 * The one line of JSON that every benchmark ends with: `{"bench":…,"ratios":{…},"figures":{…}}`, numbers to four digits.
 * Source: design, Running, configuring, measuring.
 * @throws RangeError for a figure that is not finite: JSON would turn it into null unseen
 */
export function resultLine({ bench, ratios, figures }: BenchResult): string {
  return JSON.stringify({ bench, ratios, figures }, (name, value: unknown) => {
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) throw new RangeError(`${name} is ${value}`);
    return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  });
}
