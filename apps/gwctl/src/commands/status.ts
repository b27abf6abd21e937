import type { AdminAnswer } from '@portcullis/admin-client';
import { harmlessText } from '@portcullis/bundle-diff';
import { is } from 'valibot';
import { notAControlPlane, unknownAnswer } from '../api/answer-as.ts';
import { pageSchema } from '../api/answers.ts';
import { releaseMismatch } from '../api/check-release.ts';
import { problemFailure } from '../api/problem-failure.ts';
import { openUnauthenticated } from '../api/session.ts';
import { textOf as fieldText } from '../api/session-grant.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { printWarning } from '../output/messages.ts';
import { coloured } from '../output/terminal.ts';
import { table } from '../output/table.ts';
import { ownRelease } from '../release.ts';

/** Options of `gwctl status`. */
export interface StatusOptions extends GlobalOptions {
  readonly tenantId?: string;
}

/** One section: what the server said, or why it did not. */
type Section = { readonly ok: boolean; readonly [field: string]: unknown };

/** Prints health, readiness and, where a tenant is known, its gateways. Fails when any section does. */
export async function status(options: StatusOptions): Promise<number> {
  const session = await openUnauthenticated(options);
  const { tenantId, destination } = session;
  const [health, ready, gateways] = await Promise.all([
    session.attempt('GET', '/health'),
    session.attempt('GET', '/ready'),
    tenantId === undefined || destination.token === undefined
      ? undefined
      : session.attempt('GET', '/api/v1/admin/gateways', { query: { tenant_id: tenantId, limit: 200 } }),
  ]);
  // Nobody there: one sentence says more than three broken sections.
  if (!health.ok && health.problem.status === null) throw problemFailure(health.problem);
  if ([health, ready].some((answer) => answer.ok && !saysItsStatus(answer.body))) {
    throw notAControlPlane(destination.apiUrl);
  }
  const release = health.ok ? fieldText(health.body, 'release') : undefined;
  if (release !== undefined && release !== ownRelease()) printWarning(releaseMismatch(destination.apiUrl, release));
  const document = {
    api_url: destination.apiUrl,
    gwctl_release: ownRelease(),
    health: sectionOf(health),
    ready: sectionOf(ready),
    gateways: gateways ? gatewaysOf(gateways) : null,
  };
  await printDocument(options.outputFormat, document, () => textOf(document));
  const sections = [document.health, document.ready, ...(document.gateways ? [document.gateways] : [])];
  return sections.every(({ ok }) => ok) ? exitCodes.done : exitCodes.failed;
}

/** Whether a body is that of `/health` or `/ready`. */
function saysItsStatus(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string';
}

function sectionOf(answer: AdminAnswer): Section {
  if (!answer.ok) return { ok: false, error: problemFailure(answer.problem).message };
  return { ok: true, ...(typeof answer.body === 'object' ? answer.body : { body: answer.body }) };
}

/** The page of gateways; another answer is a failure of its section alone. */
function gatewaysOf(answer: AdminAnswer): Section {
  return answer.ok && !is(pageSchema, answer.body) ? { ok: false, error: unknownAnswer } : sectionOf(answer);
}

function textOf({
  api_url: apiUrl,
  health,
  ready,
  gateways,
}: {
  api_url: string;
  health: Section;
  ready: Section;
  gateways: Section | null;
}): string {
  const line = (name: string, section: Section): string => {
    const word = section.ok ? coloured('green', textIn(section, 'status') ?? 'ok') : coloured('red', 'failed');
    return `${name.padEnd(10)}${word}${section.ok ? '' : `  ${textIn(section, 'error')}`}`;
  };
  const lines = [`API       ${harmlessText(apiUrl)}`, line('health', health), line('ready', ready)];
  if (gateways === null) return [...lines, 'gateways  not asked for: no tenant is known (give --tenant-id)'].join('\n');
  if (!gateways.ok) return [...lines, line('gateways', gateways)].join('\n');
  const items = Array.isArray(gateways['items']) ? (gateways['items'] as Record<string, unknown>[]) : [];
  const rows = items.map((item) => [item['id'], item['name'], item['updated_at']]);
  return [...lines, `gateways  ${items.length}`, '', table(['id', 'name', 'updated at'], rows)].join('\n');
}

function textIn(section: Section, field: string): string | undefined {
  const value = section[field];
  return typeof value === 'string' ? harmlessText(value) : undefined;
}
