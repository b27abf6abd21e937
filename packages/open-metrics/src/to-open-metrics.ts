/**
 * Rewrites metrics from Prometheus's text format (0.0.4) to OpenMetrics 1.0.0: counters are declared without `_total` and all their
 * samples have it, bounds of buckets and quantiles are written as floats, what has no type is `unknown`, and the end is marked.
 * Samples keep their labels, values and order. The text must be well-formed; each family's lines stand together, as every client
 * library writes them. Comments go.
 * Source: OpenMetrics 1.0.0, ABNF; Counter; "Considerations: Canonical Numbers".
 */
export function toOpenMetrics(prometheusText: string): string {
  const lines: string[] = [];
  let family: Family = NO_FAMILY;
  /** `HELP` waits for `TYPE`, which says how the family is called. */
  let help: { readonly name: string; readonly text: string } | undefined;
  const declare = (name: string, type: string) => {
    family = familyOf(name, type);
    lines.push(`# TYPE ${family.declaredName} ${family.type}`);
    if (help?.name === name) lines.push(`# HELP ${family.declaredName} ${help.text}`);
    help = undefined;
  };
  for (const line of prometheusText.split('\n')) {
    if (line.startsWith('#')) {
      const [, keyword, name = '', rest = ''] = DESCRIPTION.exec(line) ?? [];
      if (keyword === 'HELP') help = { name, text: rest.replaceAll('"', String.raw`\"`) };
      else if (keyword === 'TYPE') declare(name, rest.trim());
    } else if (line !== '') {
      if (help !== undefined) declare(help.name, 'untyped');
      lines.push(sampleOf(line, family));
    }
  }
  return `${lines.join('\n')}${lines.length === 0 ? '' : '\n'}# EOF\n`;
}

const DESCRIPTION = /^# (HELP|TYPE) (\S+) ?(.*)$/;

/** The metric whose samples follow. */
interface Family {
  readonly name: string;
  readonly declaredName: string;
  readonly type: string;
}

const NO_FAMILY: Family = { name: '', declaredName: '', type: 'unknown' };

function familyOf(name: string, type: string): Family {
  if (type === 'untyped') return { name, declaredName: name, type: 'unknown' };
  const isTotal = type === 'counter' && name.endsWith('_total');
  return { name, declaredName: isTotal ? name.slice(0, -'_total'.length) : name, type };
}

function sampleOf(line: string, { name, declaredName, type }: Family): string {
  if (type === 'counter') return name === declaredName ? withTotal(line, name) : line;
  if (type === 'histogram') return line.replace(/([{,]le=")([^"]*)"/, canonicalNumber);
  if (type === 'summary') return line.replace(/([{,]quantile=")([^"]*)"/, canonicalNumber);
  return line;
}

/** A counter that was not called `_total`. */
function withTotal(line: string, name: string): string {
  return `${name}_total${line.slice(name.length)}`;
}

/** `1` is `1.0`: a label's value is a text, and texts of one number must be equal. */
function canonicalNumber(_whole: string, before: string, number: string): string {
  return `${before}${/^[+-]?\d+$/.test(number) ? `${number}.0` : number}"`;
}
