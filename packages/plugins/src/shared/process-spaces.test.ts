import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { ProcessSpaces } from './process-spaces.ts';

describe('spaces that instances share', () => {
  const made = () => ({ value: 0 });

  it('are one for the same tenant and namespace, and others for others', () => {
    const [clock, spaces] = [new FakeClock(), new ProcessSpaces<{ value: number }>()];
    const first = spaces.hold(clock, ['t1', 'a'], made).space;
    expect(spaces.hold(clock, ['t1', 'a'], made).space).toBe(first);
    expect(spaces.hold(clock, ['t2', 'a'], made).space).not.toBe(first);
    expect(spaces.hold(clock, ['t1', 'b'], made).space).not.toBe(first);
    expect(spaces.hold(clock, ['t', '1a'], made).space).not.toBe(spaces.hold(clock, ['t1', 'a'], made).space);
    expect(spaces.hold(new FakeClock(), ['t1', 'a'], made).space).not.toBe(first);
  });

  it('outlive an edit, which holds before it releases, and end with their last holder', () => {
    const [clock, spaces] = [new FakeClock(), new ProcessSpaces<{ value: number }>()];
    const before = spaces.hold(clock, ['t1', 'a'], made);
    const after = spaces.hold(clock, ['t1', 'a'], made);
    before.release();
    expect(spaces.hold(clock, ['t1', 'a'], made).space).toBe(before.space);
    after.release();
    spaces.hold(clock, ['t1', 'a'], made).release();
    expect(spaces.hold(clock, ['t1', 'a'], made).space).toBe(before.space);
    const ended: object[] = [];
    const alone = new ProcessSpaces<{ value: number }>((space) => ended.push(space));
    const gone = alone.hold(clock, ['t1', 'a'], made);
    gone.release();
    expect(ended).toEqual([gone.space]);
    expect(alone.hold(clock, ['t1', 'a'], made).space).not.toBe(gone.space);
  });
});
