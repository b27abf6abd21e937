import { expect, it } from 'vitest';
import { ExportPlaces } from './export-places.ts';

it('lets one party have some exports and all together so many, and a place is given back once', () => {
  const places = new ExportPlaces();
  const ends = Array.from({ length: 4 }, () => places.take('acme'));
  expect(() => places.take('acme')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  for (let party = 0; party < 28; party += 1) places.take(`p${party}`);
  expect(() => places.take('another')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  ends[0]?.();
  ends[0]?.();
  places.take('acme');
  expect(() => places.take('acme')).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(() => places.take('another')).toThrow(expect.objectContaining({ code: 'unavailable' }));
});
