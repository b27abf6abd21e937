/** A published configuration, to make deltas of. */
export interface Published {
  readonly head: { readonly revision: number; readonly hash: string };
  readonly lines: ReadonlyMap<string, string>;
}

/** Reads a whole configuration's text; `undefined` for text that is none. */
export function publishedOf(text: string): Published | undefined {
  try {
    const [head = '', ...rest] = text.trimEnd().split('\n');
    const lines = rest.slice(0, -1).map((line): [string, string] => {
      const { family, record } = JSON.parse(line) as { family: string; record: { id: string } };
      return [`${family}/${record.id}`, line];
    });
    return { head: JSON.parse(head) as Published['head'], lines: new Map(lines) };
  } catch {
    return undefined;
  }
}

/** What leads from one published configuration to another. */
export function deltaText(from: Published, to: Published): string {
  const removed = [...from.lines.keys()].filter((key) => !to.lines.has(key));
  const changed = [...to.lines].filter(([key, line]) => from.lines.get(key) !== line);
  const { revision, hash } = from.head;
  const end = { end: { records: changed.length, removals: removed.length, total: to.lines.size } };
  const lines = [
    JSON.stringify({ ...to.head, since: { revision, hash } }),
    ...removed.map((key) => {
      const slash = key.indexOf('/');
      return JSON.stringify({ family: key.slice(0, slash), removed: key.slice(slash + 1) });
    }),
    ...changed.map(([, line]) => line),
    JSON.stringify(end),
  ];
  return `${lines.join('\n')}\n`;
}
