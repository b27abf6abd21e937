/**
 * Read access to the header fields of one message. Names match without regard to case.
 * Hooks get this view only: they change headers by returning {@link HeaderEdit}s, so that an abandoned hook changes nothing.
 */
export interface HeaderView {
  /** The value of a field; several lines of one name are joined with `, `. `undefined` when the field is absent. */
  get(name: string): string | undefined;
  /** Every line of one name, in order of arrival. Empty when the field is absent. */
  getAll(name: string): readonly string[];
  /** Whether the field is there, also with an empty value. */
  has(name: string): boolean;
  /** Visits name and value of each line in order, names in the case in which they arrived. */
  forEach(visit: (name: string, value: string) => void): void;
}

/**
 * One change to a list of header fields. Edits apply in the order in which they stand.
 *
 * | op | effect |
 * | --- | --- |
 * | `set` | the field has this one value afterwards, whatever was there |
 * | `append` | one more line, beside what is there |
 * | `set_if_absent` | as `set`, only where the field is missing |
 * | `set_if_present` | as `set`, only where the field exists |
 * | `remove` | no line of this name is left |
 * | `rename` | lines of `name` are called `value` afterwards and replace what had that name |
 */
export interface HeaderEdit {
  readonly op: 'set' | 'append' | 'set_if_absent' | 'set_if_present' | 'remove' | 'rename';
  readonly name: string;
  /** The value; for `rename` the new name; unused by `remove`. */
  readonly value?: string;
}
