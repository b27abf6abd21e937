import type { Awaitable } from '@portcullis/plugin-runtime';

/** Goes on with a value: in the same turn where it is there already, since a promise would make the request wait for a place. */
export function andThen<Value, Next>(
  value: Awaitable<Value>,
  goOn: (value: Value) => Awaitable<Next>,
): Awaitable<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
