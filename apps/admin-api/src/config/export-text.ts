import { bundleFamilies } from '@portcullis/resources';
import { yamlText } from '../http/answer.ts';
import type { ExportSpool, SpooledRecord } from './export-spool.ts';

/** The arrays that every export has, in their order. Source: spec, Configuration bundle. */
const standardArrays = [
  'gateways',
  'services',
  'routes',
  'upstreams',
  'targets',
  'consumers',
  'consumer_credentials',
  'certificates',
  'snis',
  'vaults',
] as const;

/** Those that are there when they hold something. Source: decisions, 12. */
const additiveArrays = bundleFamilies
  .map(({ bundle }) => bundle.key)
  .filter((key) => !standardArrays.some((standard) => standard === key));

/** Told of each record that was written, so that what it took is free again. */
export type OnWritten = (record: SpooledRecord) => void;

/** An export as JSON, a record to a line. Takes the records out of the spool. */
export function* jsonPieces(spool: ExportSpool, onWritten: OnWritten): Generator<string, void> {
  yield `{\n"tenant_id": ${JSON.stringify(spool.tenantId)}`;
  for (const [key, records] of arraysOf(spool)) {
    yield `,\n${JSON.stringify(key)}: [`;
    let separator = '\n';
    for (const record of taken(records, onWritten)) {
      const body = record.text.slice(1);
      const id = spool.showsId(key, record.id) ? `"id":${JSON.stringify(record.id)}${body === '}' ? '' : ','}` : '';
      yield `${separator}{${id}${body}`;
      separator = ',\n';
    }
    yield separator === '\n' ? ']' : '\n]';
  }
  yield '\n}\n';
}

/** The same as YAML 1.2. Texts that older readers would take for something else stand in quotes. */
export function* yamlPieces(spool: ExportSpool, onWritten: OnWritten): Generator<string, void> {
  yield yamlText({ tenant_id: spool.tenantId });
  for (const [key, records] of arraysOf(spool)) {
    yield records.length === 0 ? `${key}: []\n` : `${key}:\n`;
    for (const record of taken(records, onWritten)) {
      const fields = JSON.parse(record.text) as object;
      // A list may stand as far left as the key that holds it.
      yield yamlText([spool.showsId(key, record.id) ? { id: record.id, ...fields } : fields]);
    }
  }
}

function arraysOf({ records }: ExportSpool): (readonly [string, SpooledRecord[]])[] {
  const standard = standardArrays.map((key) => [key, records.get(key) ?? []] as const);
  const additive = additiveArrays.map((key) => [key, records.get(key) ?? []] as const);
  return [...standard, ...additive.filter(([, list]) => list.length > 0)];
}

function* taken(records: SpooledRecord[], onWritten: OnWritten): Generator<SpooledRecord, void> {
  for (let record = records.pop(); record !== undefined; record = records.pop()) {
    yield record;
    onWritten(record);
  }
}
