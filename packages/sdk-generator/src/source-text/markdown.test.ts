import { describe, expect, it } from 'vitest';
import { markdownCode, markdownParagraphs, markdownText } from './markdown.ts';

describe('texts of a description in Markdown', () => {
  it('are plain text, whatever is in them', () => {
    expect(markdownText('a *b* [c](d) <e> | f\ng')).toBe('a \\*b\\* \\[c\\]\\(d\\) \\<e\\> \\| f g');
    expect(markdownText('https://evil.example www.evil.example')).toBe('https\\://evil.example www\\.evil.example');
    expect(markdownParagraphs('1. one\n12. two\n3.5 is no item')).toEqual([
      '1\\. one',
      '12\\. two',
      '3\\.5 is no item',
    ]);
  });

  it('are code that ends neither itself nor the cell of a table', () => {
    expect(markdownCode('GET /a`b|c')).toBe('``GET /a`b\\|c``');
    // Two backslashes are one, and the bar after them would end the cell: what follows would be markup.
    expect(markdownCode('GET /a\\|<img src=x>')).toBe('GET /a\\\\\\|\\<img src\\=x\\>');
  });
});
