/** A line as a server of its dialect understands it. */
export interface StatsdMetric {
  readonly name: string;
  readonly value: number;
  readonly type: string;
  readonly rate: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Where each dialect has its tags: what stands around them, between them, and between name and value. */
const FORMS: Readonly<
  Record<string, { readonly head?: RegExp; readonly separator: string; readonly between: string }>
> = {
  dogstatsd: { separator: ',', between: ':' },
  telegraf: { head: /^([^,]+)(?:,(.+))?$/, separator: ',', between: '=' },
  librato: { head: /^([^#]+)(?:#(.+))?$/, separator: ',', between: '=' },
  signalfx: { head: /^([^[]+)(?:\[(.+)\])?$/, separator: ',', between: '=' },
  graphite: { head: /^([^;]+)(?:;(.+))?$/, separator: ';', between: '=' },
  statsd: { separator: ',', between: ':' },
};

/**
 * Reads a datagram the way servers do.
 * @throws Error for what a server would not understand, or would understand otherwise
 */
export function readStatsd(datagram: string, dialect: string): readonly StatsdMetric[] {
  return datagram.split('\n').map((line) => readLine(line, dialect));
}

function readLine(line: string, dialect: string): StatsdMetric {
  const form = FORMS[dialect];
  const [, head = '', value = '', type = '', rest = ''] =
    /^([^:]+):(-?[0-9.]+)\|(c|ms|h)((?:\|[^|]+)*)$/.exec(line) ?? [];
  if (form === undefined || head === '') throw new Error(`not understood: ${line}`);
  const [, name = '', headTags] = form.head === undefined ? ['', head] : (form.head.exec(head) ?? []);
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) throw new Error(`no name: ${line}`);
  let rate = 1;
  let tags = headTags;
  for (const section of rest.split('|').slice(1)) {
    if (/^@0\.[0-9]+$/.test(section)) rate = Number(section.slice(1));
    else if (section.startsWith('#') && dialect === 'dogstatsd') tags = section.slice(1);
    else throw new Error(`not understood: ${line}`);
  }
  return { name, value: Number(value), type, rate, tags: readTags(tags, form.separator, form.between) };
}

function readTags(text: string | undefined, separator: string, between: string): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const tag of text === undefined ? [] : text.split(separator)) {
    const [name = '', value = '', ...more] = tag.split(between);
    if (name === '' || value === '' || more.length > 0 || Object.hasOwn(tags, name)) throw new Error(`no tag: ${tag}`);
    tags[name] = value;
  }
  return tags;
}
