import { checkInline, checkInstance, pluginsByName } from '@portcullis/plugin-runtime';
import type { InlinePlugin, Plugin, PluginInstance } from '@portcullis/plugin-runtime';
import { builtInPlugins, canonicalConfig, secretPathsOf, secretPointers } from '@portcullis/plugins';
import { referenceProblems } from '../resources/secret-references.ts';
import { pluginSharingProblems } from '../ai/shared-answers.ts';
import type { FieldProblem } from '../http/problem.ts';
import { addressesFor } from '../resources/address-leaves.ts';
import type { FamilyBehaviour } from '../resources/family-behaviour.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import { toPointer } from '../resources/json-pointer.ts';
import { isValues } from '../resources/values.ts';
import type { Values } from '../resources/values.ts';
import { configSizeIssues, configWork, customPlugin, tooCostly } from './custom-package.ts';
import type { ConfigCheck, CustomPackage, CustomPackages } from './custom-package.ts';
import { customPackagesNamed } from './custom-packages.ts';
import { configCheckAside } from './schema-checks.ts';
import type { SchemaTasks } from './schema-checks.ts';
import { selectorProblems } from './selector-problems.ts';
import { variableProblems } from './variable-references.ts';

const builtIn = pluginsByName(builtInPlugins);

/**
 * The rules of plugin instances where a tenant has certain custom packages: the config is checked against its package before it
 * is stored. Pure. Source: spec, Plugin instance.
 * @param check of configs by custom packages. Default: in place, which is nothing for the main thread
 */
export function pluginRules(packages: CustomPackages, check?: ConfigCheck): FamilyBehaviour {
  const plugins = withCustom(packages, check);
  return {
    canonical: withCanonicalConfig,
    // The record passed its family's schema, which is the shape that the runtime names.
    takesReferences: true,
    check: (values) => [
      ...referenceProblems(values, configSecrets(packages, values, '')),
      ...checkInstance(plugins, values as unknown as PluginInstance),
      ...pluginSharingProblems(values['name'], values['config'], '/config'),
      ...variablesNamed(values, ''),
    ],
    secretPointers: (values) => configSecrets(packages, values, ''),
    secretDestinations: (values) => destinationsOf(packages, values),
  };
}

/** The same for routes: inline plugin entries are checked like instances. Source: spec, Inline route plugin entry. */
export function routeRules(packages: CustomPackages, check?: ConfigCheck): FamilyBehaviour {
  const plugins = withCustom(packages, check);
  return {
    canonical: withCanonicalEntries,
    takesReferences: true,
    check: (values) =>
      isTooMuch(packages, values)
        ? [tooCostly('/plugins')]
        : inlineEntries(values).flatMap(([entry, place]): FieldProblem[] => [
            ...referenceProblems(values, configSecrets(packages, entry, place)),
            ...checkInline(plugins, entry as unknown as InlinePlugin).map((issue) => ({
              pointer: `${place}${issue.pointer}`,
              code: issue.code,
              message: issue.message,
            })),
            ...pluginSharingProblems(entry['name'], entry['config'], `${place}/config`),
            ...variablesNamed(entry, place),
          ]),
    secretDestinations(route) {
      const entries = inlineEntries(route).map(([entry, place]) => [place, destinationsOf(packages, entry)] as const);
      return (pointer) => {
        const [place, destination] = entries.find(([at]) => pointer.startsWith(`${at}/`)) ?? [];
        return place === undefined ? null : destination?.(pointer.slice(place.length));
      };
    },
    secretPointers(values) {
      const known = isTooMuch(packages, values) ? everySecret(packages) : packages;
      return inlineEntries(values).flatMap(([entry, place]) => configSecrets(known, entry, place));
    },
  };
}

/** Plugin instances, as far as they are of built-in packages. */
export const pluginBehaviour: FamilyBehaviour = pluginRules(new Map());

/** Routes, as far as their plugins are of built-in packages. */
export const routeBehaviour: FamilyBehaviour = routeRules(new Map());

/** Plugin instances of any package of their tenant; selectors must not contradict each other. */
export function createPluginBehaviour(store: ResourceStore, tasks: SchemaTasks): FamilyBehaviour {
  const prepare: FamilyBehaviour['prepare'] = async ({ executor, tenantId, values }) => {
    const problems = [
      ...variablesNamed(values, '', tenantId),
      ...(await selectorProblems(store, executor, tenantId, values)),
    ];
    return problems.length > 0 ? { ok: false, problems } : { ok: true, body: values };
  };
  return {
    ...pluginBehaviour,
    prepare,
    async forRecord(executor, tenantId, sent, aside) {
      const packages = await customPackagesNamed(store, executor, tenantId, [sent['name']]);
      if (packages.size === 0) return undefined;
      return { ...pluginRules(packages, configCheckAside(tasks, tenantId, aside)), prepare };
    },
  };
}

/** Routes with plugins of any package of their tenant. */
export function createRouteBehaviour(store: ResourceStore, tasks: SchemaTasks): FamilyBehaviour {
  const prepare: FamilyBehaviour['prepare'] = async ({ tenantId, values }) => {
    const problems = inlineEntries(values).flatMap(([entry, place]) => variablesNamed(entry, place, tenantId));
    return problems.length > 0 ? { ok: false, problems } : { ok: true, body: values };
  };
  return {
    ...routeBehaviour,
    prepare,
    async forRecord(executor, tenantId, sent, aside) {
      const names = inlineEntries(sent).map(([entry]) => entry['name']);
      const packages = await customPackagesNamed(store, executor, tenantId, names);
      if (packages.size === 0) return undefined;
      return { ...routeRules(packages, configCheckAside(tasks, tenantId, aside)), prepare };
    },
  };
}

/** Variables of a config that may not be named. Those of custom packages are what their code makes of them. */
function variablesNamed({ name, config }: Values, place: string, tenantId?: string): readonly FieldProblem[] {
  return builtIn.has(String(name)) ? variableProblems(config, `${place}/config`, tenantId) : [];
}

/** Where the secrets of a config go: another plugin does something else with a field of the same name. */
function destinationsOf(packages: CustomPackages, entry: Values): (pointer: string) => unknown {
  const { name, config } = entry;
  const within = (pointer: string): string => pointer.slice('/config'.length);
  const secrets = builtIn.has(String(name)) ? undefined : new Set(configSecrets(packages, entry, '').map(within));
  const addresses = addressesFor(config, secrets);
  return (pointer) => [name, addresses(within(pointer))];
}

/** The inline entries of a route and the pointers at which they stand. */
export function inlineEntries(values: Values): (readonly [Values, string])[] {
  const entries: unknown = values['plugins'];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) =>
    isValues(entry) ? [[entry, toPointer(['plugins', index])] as const] : [],
  );
}

function withCanonicalConfig(entry: Values): Values {
  const { name, config } = entry;
  const canonical = typeof name === 'string' ? canonicalConfig(name, config) : config;
  return canonical === config ? entry : { ...entry, config: canonical };
}

function withCanonicalEntries(route: Values): Values {
  const entries: unknown = route['plugins'];
  if (!Array.isArray(entries)) return route;
  const canonical = entries.map((entry: unknown) => (isValues(entry) ? withCanonicalConfig(entry) : entry));
  return canonical.every((entry, index) => entry === entries[index]) ? route : { ...route, plugins: canonical };
}

/** A built-in package stands before a custom one of its name, as it does on gateways. */
function withCustom(packages: CustomPackages, check: ConfigCheck | undefined): ReadonlyMap<string, Plugin> {
  if (packages.size === 0) return builtIn;
  const custom = [...packages.values()].map((one) => [one.name, customPlugin(one, check)] as const);
  return new Map([...custom, ...builtIn]);
}

function configSecrets(packages: CustomPackages, entry: Values, place: string): string[] {
  const name = String(entry['name']);
  const custom = builtIn.has(name) ? undefined : packages.get(name);
  const found = custom ? customSecrets(custom, entry['config']) : secretPathsOf(name, entry['config']);
  return found.map((pointer) => `${place}/config${pointer}`);
}

/** What a schema calls secret. Of a config that is too large for its schema, and so refused, every text is. */
function customSecrets({ configSchema }: CustomPackage, config: unknown): readonly string[] {
  const isSmall = config === undefined || configSizeIssues(configSchema, config).length === 0;
  return secretPointers(isSmall ? configSchema : allSecret, config);
}

const allSecret = { 'x-secret': true };

function everySecret(packages: CustomPackages): CustomPackages {
  return new Map([...packages].map(([name, custom]) => [name, { ...custom, configSchema: allSecret }]));
}

/** Whether the custom entries of a route ask for more work together than one config may. */
function isTooMuch(packages: CustomPackages, values: Values): boolean {
  let work = 0;
  for (const [entry] of inlineEntries(values)) {
    const custom = packages.get(String(entry['name']));
    if (custom) work += configWork(custom.configSchema, entry['config'] ?? {});
  }
  return work > 1;
}
