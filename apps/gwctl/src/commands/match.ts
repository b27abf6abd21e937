import { harmlessText } from '@portcullis/bundle-diff';
import { familyNamed } from '@portcullis/resources';
import { answerAs } from '../api/answer-as.ts';
import { matchSchema, storedRecordSchema } from '../api/answers.ts';
import { collectionPath, recordPath } from '../api/entities.ts';
import { findParents } from '../api/parents.ts';
import { openSession, type Session } from '../api/session.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { table } from '../output/table.ts';

/** Options of `gwctl match`. */
export interface MatchOptions extends GlobalOptions {
  readonly tenantId?: string;
  readonly gatewayId?: string;
  readonly method: string;
  readonly header: readonly string[];
  readonly sni?: string;
  readonly consumerId?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Prints where a gateway sends a request, and why. Ends with 1 when the gateway answers it by itself. */
export async function match(options: MatchOptions, url: string): Promise<number> {
  const session = await openSession(options, 'read');
  const { gatewayId } = await findParents(session, familyNamed('routes'), parentOf(options), 'record');
  const consumerId = options.consumerId && (await consumerIdOf(session, options.consumerId));
  const { method, sni } = options;
  const request = {
    ...{ method, ...partsOf(url), headers: headersOf(options.header) },
    ...(sni !== undefined && { sni }),
    ...(consumerId !== undefined && { consumer_id: consumerId }),
  };
  const answer = await session.call('POST', `${collectionPath(familyNamed('routes'), gatewayId)}/match`, {
    query: { tenant_id: session.tenantId },
    body: request,
  });
  const found = answerAs(answer, matchSchema);
  await printDocument(options.outputFormat, found, () => textOf(found));
  return found['outcome'] === 'matched' && found['status'] === null ? exitCodes.done : exitCodes.failed;
}

function parentOf({ gatewayId }: MatchOptions): { readonly gatewayId?: string } {
  return gatewayId === undefined ? {} : { gatewayId };
}

async function consumerIdOf(session: Session, given: string): Promise<string> {
  const path = recordPath(familyNamed('consumers'), undefined, given);
  const answer = await session.call('GET', path, { query: { tenant_id: session.tenantId } });
  return answerAs(answer, storedRecordSchema).id;
}

/** The path goes as it is given: normalising is what the gateway does. */
function partsOf(url: string): { readonly protocol: string; readonly host: string; readonly path: string } {
  const [, protocol = '', host = '', path = ''] = /^(https?):\/\/([^/?#]+)([^#]*)/.exec(url) ?? [];
  if (host === '') throw new CommandFailure('the request is given as http://HOST/PATH or https://HOST/PATH');
  return { protocol, host, path: path.startsWith('/') ? path : `/${path}` };
}

function headersOf(lines: readonly string[]): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new CommandFailure("a header is given as 'Name: value'");
    const name = line.slice(0, colon);
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return Object.fromEntries(headers);
}

function textOf(found: Fields): string {
  const candidates = listOf(found['candidates']);
  const plugins = listOf(found['plugins']);
  const status = typeof found['status'] === 'number' ? `, answers ${found['status']}` : '';
  const facts: readonly (readonly [string, unknown])[] = [
    ['outcome', `${textIn(found['outcome'])}${status}`],
    ['detail', found['detail']],
    ['route', nameIn(found['route'])],
    ['won by', found['won_by']],
    ['service', nameIn(found['service'])],
    ['upstream path', found['upstream_path']],
  ];
  const lines = facts.map(([name, value]) => `${name.padEnd(15)}${harmlessText(textIn(value))}`);
  if (candidates.length > 0) {
    const rows = candidates.map((one) => [nameIn(one['route']), one['outcome'], one['lost_by'], one['unmet']]);
    lines.push('', table(['candidate', 'outcome', 'lost by', 'not met'], rows));
  }
  if (plugins.length > 0) {
    const rows = plugins.map((one) => [
      one['name'],
      one['source'],
      one['included'] === true ? 'yes' : 'no',
      one['reason'],
    ]);
    lines.push('', table(['plugin', 'source', 'runs', 'why'], rows));
  }
  return lines.join('\n');
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '-';
}

function nameIn(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('name' in record)) return undefined;
  return typeof record.name === 'string' ? record.name : undefined;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as readonly Fields[]) : [];
}
