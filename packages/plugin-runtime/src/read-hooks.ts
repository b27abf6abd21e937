import type { PluginHooks } from './plugin.ts';

/** Every hook a plugin may have. */
const HOOKS = ['request', 'response', 'error', 'stream', 'tcp', 'dispose'] as const;

/**
 * The hooks that `setup` returned, each read once. Those of a class instance keep their `this`.
 * @throws TypeError for what are no hooks: a promise, or a hook that is no function
 */
export function readHooks(returned: unknown): PluginHooks {
  if (typeof returned !== 'object' || returned === null) throw new TypeError('setup returns an object of hooks');
  if ('then' in returned && typeof returned.then === 'function') {
    // It may reject, and nobody else will look.
    Promise.resolve(returned).catch(() => undefined);
    throw new TypeError('setup is not asynchronous: it returns hooks and no promise');
  }
  const given = returned as Record<(typeof HOOKS)[number], unknown>;
  const hooks: Partial<Record<(typeof HOOKS)[number] | 'failsClosed', unknown>> = {};
  const receiver = isPlain(returned) ? undefined : returned;
  for (const name of HOOKS) {
    const hook = given[name];
    if (hook === undefined) continue;
    if (typeof hook !== 'function') throw new TypeError(`hook ${name} is no function`);
    hooks[name] = receiver === undefined ? hook : hook.bind(receiver);
  }
  if ((returned as { readonly failsClosed?: unknown }).failsClosed === true) hooks.failsClosed = true;
  return Object.freeze(hooks) as PluginHooks;
}

/** Hooks of a literal are called as they are; those of a class need their object. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
