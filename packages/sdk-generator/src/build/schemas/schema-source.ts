import { fieldOf, isObject, pointerTo, referredIn, textField } from '@portcullis/openapi';
import type { FollowReferences, JsonObject, Referred } from '@portcullis/openapi';
import type { Findings } from '../findings.ts';
import { sdkLimits } from '../limits.ts';

const componentsPointer = '/components/schemas';

/** The schemas of one document, and how much of them may still be looked at. */
export class SchemaSource {
  readonly is30: boolean;
  readonly findings: Findings;
  readonly components: JsonObject;
  readonly #follow: FollowReferences;
  #steps = 0;
  #isOver = false;
  #children: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(document: JsonObject, findings: Findings) {
    this.is30 = textField(document, 'openapi')?.startsWith('3.0') === true;
    this.findings = findings;
    this.#follow = referredIn(document);
    const components = fieldOf(document, 'components');
    const schemas = isObject(components) ? fieldOf(components, 'schemas') : undefined;
    this.components = isObject(schemas) ? schemas : {};
  }

  /** Counts a schema that is looked at. @returns whether it still may be */
  step(): boolean {
    this.#steps += 1;
    if (this.#steps <= sdkLimits.stepsMax && !this.#isOver) return true;
    return this.tooLarge(`refers to its schemas in too many ways: at most ${sdkLimits.stepsMax} are followed`);
  }

  /** Ends all work: once it is known that there will be no client, nothing more is looked at. */
  tooLarge(message: string): false {
    if (!this.#isOver) this.findings.refuse('', message, 'sdk_too_large');
    this.#isOver = true;
    return false;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Where an object's references end; itself where it has none. What is broken is told. */
  refer(value: JsonObject, pointer: string): Referred | undefined {
    const reference = fieldOf(value, '$ref');
    if (reference === undefined) return { value, pointer };
    const referred =
      typeof reference === 'string' && reference.startsWith('#/') ? this.#follow(value, pointer) : undefined;
    if (referred === undefined) {
      const rule =
        'must lead to an object of this description, by a JSON Pointer (#/…; an $anchor is not looked for) and without a circle';
      this.findings.refuse(pointerTo(pointer, '$ref'), rule, 'reference_not_found');
    }
    return referred;
  }

  /** A field that is an object, its reference followed: for bodies, responses and media types. */
  field({ value, pointer }: Referred, name: string): Referred | undefined {
    const inner = fieldOf(value, name);
    return isObject(inner) ? this.refer(inner, pointerTo(pointer, name)) : undefined;
  }

  /** The entries of an object that are objects, their references followed. */
  entries({ value, pointer }: Referred): readonly (readonly [name: string, entry: Referred])[] {
    return Object.entries(value).flatMap(([name, inner]) => {
      const entry = isObject(inner) ? this.refer(inner, pointerTo(pointer, name)) : undefined;
      return entry === undefined ? [] : [[name, entry] as const];
    });
  }

  /** The key of a component schema, if one stands there. */
  componentAt(pointer: string): string | undefined {
    if (!pointer.startsWith(`${componentsPointer}/`)) return undefined;
    const step = pointer.slice(componentsPointer.length + 1);
    return step.includes('/') ? undefined : step.replaceAll('~1', '/').replaceAll('~0', '~');
  }

  pointerOf(component: string): string {
    return pointerTo(componentsPointer, component);
  }

  /** Component schemas that extend the one at a place by `allOf`, in their order. */
  childrenOf(pointer: string): readonly string[] {
    this.#children ??= this.#findChildren();
    return this.#children.get(pointer) ?? [];
  }

  #findChildren(): ReadonlyMap<string, readonly string[]> {
    const children = new Map<string, string[]>();
    for (const [name, schema] of Object.entries(this.components)) {
      const parents = isObject(schema) ? fieldOf(schema, 'allOf') : undefined;
      const references = Array.isArray(parents)
        ? parents.map((one: unknown) => isObject(one) && textField(one, '$ref'))
        : [];
      for (const reference of new Set(references)) {
        if (typeof reference !== 'string' || !reference.startsWith('#/')) continue;
        const parent = this.#follow({ $ref: reference }, this.pointerOf(name))?.pointer;
        if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), this.pointerOf(name)]);
      }
    }
    return children;
  }
}
