import { exportLine, type LogBase } from '@portcullis/audit-chain';
import type { Operation, OperationInput } from '../../http/operation.ts';
import { integerParameter } from '../../http/query-parameters.ts';
import { type AuditOperationParts, askedLog } from './audit-parts.ts';
import { headOf } from './chain-port.ts';
import { ExportPlaces } from './export-places.ts';
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
  const places = new ExportPlaces();
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
    responses: [
      { status: 200, description: 'One JSON object a line', mediaType: 'application/x-ndjson' },
      { status: 429, description: 'Enough exports of the tenant are on the way' },
    ],
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
        stream: lineStream(parts.database.read, { stretch, bounds, beginning, onEnd: places.take(partyOf(input)) }),
      };
    },
  };
}

/** Who is kept within bounds: a tenant, or a super administrator. */
function partyOf({ principal }: OperationInput): string {
  if (principal.kind !== 'user') return '';
  return principal.tenantId === undefined ? `user ${principal.id}` : `tenant ${principal.tenantId}`;
}

const unbounded = { records: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Where the log goes on, and the tree over what retention deleted: verifiers need it in place of the first records. */
function baseLine({ head, subtrees, tenants }: LogBase): string {
  return JSON.stringify({ base: { ...head, subtrees, ...(tenants && { tenants: Object.fromEntries(tenants) }) } });
}

/** A reader who takes nothing for so long is gone: the connection is broken off, so that his place is another's. */
const readerIdleMsMax = 60_000;

/** One page of records at a time, and the next only once the reader has taken that one. */
function lineStream(
  executor: AuditOperationParts['database']['read'],
  {
    stretch,
    bounds,
    beginning,
    onEnd,
  }: { stretch: LogStretch; bounds: typeof unbounded; beginning: string; onEnd: () => void },
): ReadableStream<Uint8Array> {
  const pages = storedRecords(executor, stretch);
  const encoder = new TextEncoder();
  let [records, bytes] = [0, 0];
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(idle);
    onEnd();
  };
  const wait = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    idle = setTimeout(() => {
      end();
      controller.error(new Error('the export was not fetched in time'));
    }, readerIdleMsMax).unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        wait(controller);
        if (beginning !== '') controller.enqueue(encoder.encode(beginning));
      },
      async pull(controller) {
        clearTimeout(idle);
        try {
          const page = await pages.next();
          const rows = page.done === true ? [] : page.value;
          const lines: string[] = [];
          for (const row of rows) {
            if (records >= bounds.records || bytes >= bounds.bytes) break;
            const line = `${exportLine(exportRecordOf(row))}\n`;
            lines.push(line);
            records += 1;
            bytes += line.length;
          }
          if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
          if (page.done !== true && lines.length === rows.length) {
            wait(controller);
            return;
          }
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      async cancel() {
        end();
        await pages.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
