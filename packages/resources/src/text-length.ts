import * as v from 'valibot';

/**
 * Bounds of texts in characters (code points), as JSON Schema's `maxLength` and `minLength` and people count them. The
 * library's own actions count UTF-16 units, of which characters beyond the first plane have two each: a text that the
 * description of the API takes would be refused. Source: JSON Schema 2020-12 Validation, 6.3; RFC 8259.
 */
export function maxCharacters(max: number): v.MaxLengthAction<string, number, string> {
  return {
    ...v.maxLength<string, number, string>(max, `must be at most ${max} characters`),
    '~run'(dataset, config) {
      if (dataset.typed && !hasAtMost(dataset.value, max)) v._addIssue(this, 'length', dataset, config);
      return dataset;
    },
  };
}

/** A text has at least so many characters; see {@link maxCharacters}. */
export function minCharacters(min: number): v.MinLengthAction<string, number, string> {
  return {
    ...v.minLength<string, number, string>(min, min === 1 ? 'must not be empty' : `must be at least ${min} characters`),
    '~run'(dataset, config) {
      if (dataset.typed && !hasAtLeast(dataset.value, min)) v._addIssue(this, 'length', dataset, config);
      return dataset;
    },
  };
}

/** Whether a text has at most so many characters. A character has one unit or two: most texts need no counting. */
export function hasAtMost(text: string, max: number): boolean {
  return text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
}

/** Whether a text has at least so many characters. */
export function hasAtLeast(text: string, min: number): boolean {
  return text.length >= 2 * min || (text.length >= min && Array.from(text).length >= min);
}
