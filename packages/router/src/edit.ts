/**
 * One change of a table. What a change has made itself it may still write to; everything else is shared with the tables
 * before it, and is copied first. A mark and nothing else: it is compared, and kept by what it made.
 */
export class Edit {
  /** Edits must not be taken for other objects. */
  readonly isEdit = true;
}
