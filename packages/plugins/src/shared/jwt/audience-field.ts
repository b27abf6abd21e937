import * as v from 'valibot';
import { ENTRIES_MAX, text } from '../config-fields.ts';

/** Longest audience and issuer, in characters: often an address. */
export const NAME_LENGTH_MAX = 2048;

/** The field `audience`: one name, or a list of which one is enough. */
export function audienceField() {
  return v.pipe(
    v.union([name, names], `must be text, or a list of 1 to ${ENTRIES_MAX} texts`),
    v.description('Whom tokens must be meant for: the claim `aud` names it, or one of the list'),
  );
}

/** What the field says, as a list; `undefined` when it says nothing. */
export function audiencesOf(audience: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof audience === 'string' ? [audience] : audience;
}

const name = text('A name in the claim `aud`', NAME_LENGTH_MAX);

const names = v.pipe(
  v.array(name, 'must be a list'),
  v.minLength(1, 'must not be empty'),
  v.maxLength(ENTRIES_MAX, `must have at most ${ENTRIES_MAX} entries`),
);
