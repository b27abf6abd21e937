import { Edit } from './edit.ts';
import { HostIndex } from './host-index.ts';

/** Values by host pattern, filled step by step: the hosts that a gateway answers for, for instance. */
export class HostTable<Value> {
  readonly #edit = new Edit();
  #index = new HostIndex<{ readonly value: Value }>();

  /** The value of a pattern, made on first use. `undefined` stands for every host. */
  obtain(pattern: string | undefined, create: () => Value): Value {
    const known = this.#index.get(pattern);
    if (known !== undefined) return known.value;
    const value = create();
    this.#index = this.#index.with(this.#edit, pattern, { value });
    return value;
  }

  /** Whether any pattern matches. */
  has(host: string): boolean {
    const probe = {
      found: false,
      visitHost: () => void (probe.found = true),
      visitNumber: () => void (probe.found = true),
    };
    this.#index.visit(host, probe);
    return probe.found;
  }
}
