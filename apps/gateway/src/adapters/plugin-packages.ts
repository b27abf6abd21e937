import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '@portcullis/plugin-runtime';

/**
 * The plugins of the packages that the operator listed (`PORTCULLIS_PLUGIN_PACKAGES`). A package exports one as `plugin`, or
 * several as `plugins`. Code of packages that are not listed never runs here. Source: decisions, 9.
 * @param names of packages, as Node finds them from `folder`; or paths that begin with `.` or `/`
 * @param taken names of plugins that are there already
 * @throws Error that names the package: it is not found, does not load, brings no plugin, or one whose name is taken
 */
export async function loadPluginPackages(
  names: readonly string[],
  taken: readonly string[],
  folder: string = process.cwd(),
): Promise<readonly Plugin[]> {
  const known = new Set(taken);
  const plugins: Plugin[] = [];
  for (const name of names) {
    for (const plugin of pluginsOf(name, await load(name, folder))) {
      if (known.has(plugin.name))
        throw new Error(`plugin package ${name}: another one has a plugin ${plugin.name} too`);
      known.add(plugin.name);
      plugins.push(plugin);
    }
  }
  return plugins;
}

async function load(name: string, folder: string): Promise<unknown> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name);
    return await import(pathToFileURL(path).href);
  } catch (cause) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n');
    throw new Error(`plugin package ${name} cannot be loaded: ${reason}`, { cause });
  }
}

function pluginsOf(name: string, module: unknown): readonly Plugin[] {
  const { plugin, plugins } = Object(module) as { readonly plugin?: unknown; readonly plugins?: unknown };
  const found: readonly unknown[] = Array.isArray(plugins) ? plugins : [plugin];
  if (found.length > 0 && found.every(isPlugin)) return found;
  throw new Error(`plugin package ${name}: it exports neither plugin nor plugins, made with definePlugin`);
}

function isPlugin(value: unknown): value is Plugin {
  const { name, version, compile } = Object(value) as Partial<Plugin>;
  return typeof name === 'string' && typeof version === 'string' && typeof compile === 'function';
}
