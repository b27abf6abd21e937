import { isPrefixPattern, prefixOf } from './model-pattern.ts';
import type { ModelRoute } from './route.ts';
import { hintIndexOf } from './semantic/hint-index.ts';

/**
 * Which route a requested model has: an exact name or alias, then the longest beginning, then `*`. Of routes with one pattern the first counts:
 * give those of a config before those of records. A look-up takes as many steps as there are lengths of beginnings, whatever the number of routes.
 */
export class RouteTable {
  readonly #exact = new Map<string, ModelRoute>();
  readonly #byPrefix = new Map<string, ModelRoute>();
  /** Lengths of beginnings, the longest first; 0 is that of `*`. */
  readonly #prefixLengths: readonly number[];

  /** @param isForRequests whether the hints of semantic routes are made ready for requests now, and not with the first one */
  constructor(routes: readonly ModelRoute[], isForRequests: boolean = true) {
    const lengths = new Set<number>();
    for (const route of routes) {
      if (isForRequests && route.strategy === 'semantic') hintIndexOf(route);
      for (const pattern of [route.model, ...route.aliases]) {
        const isPrefix = isPrefixPattern(pattern);
        const name = isPrefix ? prefixOf(pattern) : pattern;
        const places = isPrefix ? this.#byPrefix : this.#exact;
        if (!places.has(name)) places.set(name, route);
        if (isPrefix) lengths.add(name.length);
      }
    }
    this.#prefixLengths = [...lengths].toSorted((one, other) => other - one);
  }

  /** The route of a model. */
  find(model: string): ModelRoute | undefined {
    const exact = this.#exact.get(model);
    if (exact !== undefined) return exact;
    for (const length of this.#prefixLengths) {
      if (length > model.length) continue;
      const route = this.#byPrefix.get(length === model.length ? model : model.slice(0, length));
      if (route !== undefined) return route;
    }
    return undefined;
  }

  /** Every name that clients may ask for as it is: exact ones and aliases, no patterns; each once, in the routes' order. */
  models(): readonly string[] {
    return [...this.#exact.keys()];
  }
}
