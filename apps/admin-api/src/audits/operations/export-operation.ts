import { exportLine, type LogBase } from '@portcullis/audit-chain';
import type { Operation } from '../../http/operation.ts';
import { integerParameter } from '../../http/query-parameters.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { headOf } from './chain-port.ts';
import { logBase } from './log-base.ts';
import { logParameter } from './log-parameter.ts';
import { sequenceParameter } from './sequence-parameter.ts';
import { exportRecordOf, type LogStretch, storedRecords } from './stored-records.ts';

/** Most records of one answer when a limit is asked for. */
const limitMax = 1_000_000_000;
/** An answer with a limit also ends after this many bytes: whoever reads in pieces holds one in memory. */
const limitedBytesMax = 16 * 1024 * 1024;

/** The log as it is hashed, for auditors: `gwctl audit verify` reads it without a server. */
export function exportOperation(parts: AuditOperationParts): Operation {
  return {
    id: 'exportAudits',
    method: 'GET',
    paths: ['/admin/audits/export'],
    tag: 'audits',
    summary:
      'The log from its beginning, a record a line: the hashed text, its hashes, and the values and salts of what stands in it as ' +
      'commitments. Where retention deleted the beginning, the first line says where it goes on',
    access: 'session',
    query: [
      logParameter,
      sequenceParameter('from', 'Sequence of the first record. Default: the first that is there.', 1),
      integerParameter(
        'limit',
        'How many records to give at most; the answer then also ends after 16 MiB. 0 for no limit.',
        { minimum: 0, maximum: limitMax, fallback: 0 },
      ),
    ],
    responses: [{ status: 200, description: 'One JSON object a line', mediaType: 'application/x-ndjson' }],
    async handler(input) {
      const { tenantId, chain } = await askedLog(parts, input);
      // Before the end: the record of who deleted what is before it has to be in the log.
      const base = await logBase(parts.database.read, { tenantId, chain });
      const laterEnd = async (): Promise<number> => {
        await parts.trail.drain();
        return (await headOf(parts.database.read, chain)).sequence;
      };
      const after = typeof input.query['from'] === 'number' ? input.query['from'] - 1 : 0;
      const limit = Number(input.query['limit']);
      const stretch = { tenantId, after, through: await laterEnd(), laterEnd };
      const beginning = base && after <= base.head.sequence ? `${baseLine(base)}\n` : '';
      const bounds = limit === 0 ? unbounded : { records: limit, bytes: limitedBytesMax };
      return {
        status: 200,
        headers: { 'content-type': 'application/x-ndjson' },
        stream: lineStream(parts.database.read, { stretch, bounds, beginning }),
      };
    },
  };
}

const unbounded = { records: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Where the log goes on, and the tree over what retention deleted: verifiers need it in place of the first records. */
function baseLine({ head, subtrees, tenants }: LogBase): string {
  return JSON.stringify({ base: { ...head, subtrees, ...(tenants && { tenants: Object.fromEntries(tenants) }) } });
}

/** One page of records at a time, and the next only once the reader has taken that one. */
function lineStream(
  executor: AuditOperationParts['database']['read'],
  { stretch, bounds, beginning }: { stretch: LogStretch; bounds: typeof unbounded; beginning: string },
): ReadableStream<Uint8Array> {
  const pages = storedRecords(executor, stretch);
  const encoder = new TextEncoder();
  let [records, bytes] = [0, 0];
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (beginning !== '') controller.enqueue(encoder.encode(beginning));
      },
      async pull(controller) {
        const page = await pages.next();
        if (page.done === true) {
          controller.close();
          return;
        }
        const lines: string[] = [];
        for (const row of page.value) {
          if (records >= bounds.records || bytes >= bounds.bytes) break;
          const line = `${exportLine(exportRecordOf(row))}\n`;
          lines.push(line);
          records += 1;
          bytes += line.length;
        }
        if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
        if (lines.length < page.value.length) controller.close();
      },
      async cancel() {
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
