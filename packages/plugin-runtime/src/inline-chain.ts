import { checkInline } from './check-instance.ts';
import { NO_RECORD, placeOf, readRecords } from './check-shape.ts';
import type { PlacedInstance } from './compile-chain.ts';
import type { ConfigurationIssue } from './configuration-issue.ts';
import { inlineIds } from './inline-ids.ts';
import { compareOrder, type OrderKey } from './instance-order.ts';
import type { InlinePlugin } from './instance.ts';
import { loadInstance, type LoadContext } from './load-instance.ts';
import type { RunningInstance } from './running-instance.ts';
import type { ChainTarget } from './scope-matching.ts';
import { triggerOf } from './trigger-stages.ts';

/** An inline entry and its place in its route. */
export interface InlineRecord {
  readonly entry: InlinePlugin;
  readonly position: number;
}

/**
 * The enabled entries of a route; what is no entry at all is an issue.
 * @throws TypeError when the entries are no list
 */
export function readInline(entries: readonly InlinePlugin[], issues: ConfigurationIssue[]): readonly InlineRecord[] {
  const inline: InlineRecord[] = [];
  for (const { record, index } of readRecords(entries, 'inline entries')) {
    if (record === undefined) issues.push({ ...placeOf('inline', index, undefined), ...NO_RECORD });
    else if (record.enabled !== false) inline.push({ entry: record, position: index });
  }
  return inline;
}

/** Checks the entries, sets them up and puts them in their order. With an issue nothing of it may run. */
export function loadInline(
  context: LoadContext,
  entries: readonly InlineRecord[],
  target: ChainTarget,
  issues: ConfigurationIssue[],
): readonly PlacedInstance[] {
  const ids = inlineIds(entries, target.route);
  const loaded: { order: OrderKey; placed: PlacedInstance }[] = [];
  for (const [nth, { entry, position }] of entries.entries()) {
    const where = placeOf('inline', position, entry);
    const found = checkInline(context.plugins, entry);
    issues.push(...found.map((issue) => ({ ...where, ...issue })));
    // With a mistake anywhere nothing will run, so nothing more is set up; checking goes on to list them all.
    if (issues.length > 0) continue;
    const running = loadInstance(context, 'inline', entry, ids[nth] ?? entry.name, target.tenantId ?? '');
    if ('code' in running) issues.push({ ...where, ...running });
    else loaded.push(placeInline(entry, position, running));
  }
  return loaded.toSorted((a, b) => compareOrder(a.order, b.order)).map(({ placed }) => placed);
}

function placeInline(
  entry: InlinePlugin,
  position: number,
  running: RunningInstance,
): { order: OrderKey; placed: PlacedInstance } {
  return {
    order: { priority: entry.priority ?? 0, name: entry.name, id: entry.id ?? '', position },
    placed: { running, trigger: triggerOf(entry, running.plugin), guard: undefined },
  };
}
