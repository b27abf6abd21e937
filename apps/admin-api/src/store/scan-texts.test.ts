import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { createResourceStore } from './create-resource-store.ts';
import type { RecordToWrite } from './resource-store.ts';
import { contentsOf, pageBytesMax, scanTexts } from './scan-texts.ts';
import type { StoredContent } from './scan-texts.ts';
import { item } from './store.test-support.ts';

const store = createResourceStore();

/** Three pages, the last of them with a few records. */
const many = 2_037;

describeOnEachDatabase('pages of texts', ({ database }) => {
  const insert = (items: readonly RecordToWrite[]): Promise<unknown> =>
    database().transaction((transaction) => store.insertMany(transaction, items));
  const pagesOf = async (tenantId: string): Promise<(readonly StoredContent[])[]> => {
    const pages: (readonly StoredContent[])[] = [];
    await database().snapshot(async (executor) => {
      for await (const text of scanTexts(executor, tenantId, 'service')) pages.push(contentsOf(text));
    });
    return pages;
  };

  it('hold every record once, in the order of creation, whatever its fields say', async () => {
    const text = 'quotes " and \\ {braces}, commas, null, é😀\n';
    const wanted = Array.from({ length: many }, (_, index) => {
      const { record, ...rest } = item('paged', `r"${(index * 7919) % many}`, { name: `n${index}` });
      const gatewayId = index % 3 === 0 ? `gate"way\\${index % 5}` : null;
      // Most records of a bundle are made in the same millisecond, and older ones may have shorter moments.
      const createdAtMs = index % 2 === 0 ? 999 : 1_000 + (index % 3);
      return { ...rest, record: { ...record, gatewayId, createdAtMs, body: { text, index, list: [1, null] } } };
    });
    await insert(wanted);
    const pages = await pagesOf('paged');
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 37]);
    const expected = wanted
      .map(({ record }) => record)
      .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
      .map(({ id, gatewayId, body }) => [id, gatewayId, body]);
    expect(pages.flat()).toEqual(expected);
  });

  it('end where their bodies are long, and leave none out', async () => {
    const text = 'x'.repeat(pageBytesMax / 8 - 100);
    const lengths = [text, text, '', text, text, text, text, text, text, '', text.repeat(9), text, ''];
    const items = lengths.map((body, index) => {
      const { record, ...rest } = item('long', `r${index}`);
      return { ...rest, record: { ...record, createdAtMs: index, body: { text: body } } };
    });
    await insert(items);
    const pages = await pagesOf('long');
    // Each but the last ends with the body that fills it.
    expect(pages.map((page) => page.map(([id]) => id))).toEqual([
      items.slice(0, 11).map(({ record }) => record.id),
      ['r11', 'r12'],
    ]);
  });

  it('are none where there are no records, and one more is not asked for in vain', async () => {
    expect(await pagesOf('empty')).toEqual([]);
    await insert(Array.from({ length: 1000 }, (_, index) => item('full', `r${index}`)));
    expect((await pagesOf('full')).map(({ length }) => length)).toEqual([1000]);
  });
});
