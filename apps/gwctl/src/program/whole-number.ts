import { InvalidArgumentError } from 'commander';

/** Reads a whole number of an option. Its upper bound is the server's to say. */
export function wholeNumber(min: number): (text: string) => string {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < min) throw new InvalidArgumentError(`a whole number from ${min} on.`);
    return text;
  };
}
