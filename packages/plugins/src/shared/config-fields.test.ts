import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toConfigJsonSchema } from '../json-schema.ts';
import { text } from './config-fields.ts';

describe('texts of configs', () => {
  const short = text('Some text', 4, 2);
  const isTaken = (given: string): boolean => v.is(short, given);

  it('are bounded in characters, of which some have two UTF-16 units', () => {
    expect(['a', 'aa', 'aaaa', 'aaaaa'].map(isTaken)).toEqual([false, true, true, false]);
    expect(['🦊', '🦊🦊', '🦊🦊🦊🦊', '🦊🦊🦊🦊🦊', '🦊'.repeat(100)].map(isTaken)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('say their bounds in JSON Schema', () => {
    expect(toConfigJsonSchema(short)).toMatchObject({ type: 'string', minLength: 2, maxLength: 4 });
  });
});
