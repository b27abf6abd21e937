import type { InlinePlugin } from './instance.ts';
import type { Plugin, Stage, Trigger } from './plugin.ts';

/** The stages that each trigger covers. Source: spec, Trigger semantics. */
export const TRIGGER_STAGES: Readonly<Record<Trigger, readonly Stage[]>> = {
  before_request: ['request'],
  after_response: ['response'],
  on_error: ['error'],
  stream: ['stream'],
  tcp: ['tcp'],
  both: ['request', 'response'],
  request_response: ['request', 'response'],
  all: ['request', 'response', 'error', 'stream', 'tcp'],
};

/** The trigger that an inline entry's `stage` stands for. Source: decisions, 11. */
export const STAGE_TRIGGER: Readonly<Record<NonNullable<InlinePlugin['stage']>, Trigger>> = {
  request: 'before_request',
  response: 'after_response',
  error: 'on_error',
  stream: 'stream',
};

/** Whether a value names a trigger. */
export function isTrigger(text: unknown): text is Trigger {
  return typeof text === 'string' && Object.hasOwn(TRIGGER_STAGES, text);
}

/**
 * Whether an instance of a plugin may name a trigger: one of the plugin's own, `all`, or the other name of `both`.
 * A trigger that the plugin does not know would never run.
 */
export function supportsTrigger(plugin: Pick<Plugin, 'triggers'>, trigger: Trigger): boolean {
  if (trigger === 'all' || plugin.triggers.includes(trigger)) return true;
  return (
    (trigger === 'both' && plugin.triggers.includes('request_response')) ||
    (trigger === 'request_response' && plugin.triggers.includes('both'))
  );
}

/** The trigger of a record: what it says, or the plugin's first. */
export function triggerOf(
  record: { readonly trigger?: Trigger; readonly stage?: InlinePlugin['stage'] },
  plugin: Plugin,
): Trigger {
  return record.trigger ?? (record.stage === undefined ? plugin.triggers[0] : STAGE_TRIGGER[record.stage]);
}
