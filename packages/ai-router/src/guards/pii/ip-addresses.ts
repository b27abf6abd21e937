import { isIPv6 } from 'node:net';
import type { TextRange } from '../text-range.ts';
import { rangesOf } from './matches.ts';

/** Four numbers up to 255 and nothing more: versions with five parts are none. */
const IPV4 =
  /(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?![\w-]|\.\d)/g;
const IPV6_CANDIDATE = /(?<![\w:.])(?=[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:.]{3,45}(?![\w:])/g;

const SCOPE = /^[A-Fa-f]+::[A-Fa-f]+$/;

/** IP addresses. `::` alone says too little to be found, and so do two words of hex letters around it: `a::b` is a scope of a program. */
export function ipRanges(text: string): readonly TextRange[] {
  const six = text.includes(':')
    ? rangesOf(text, IPV6_CANDIDATE, (match) => isIPv6(match) && !SCOPE.test(match) && /[0-9A-Fa-f]/.test(match))
    : [];
  return [...rangesOf(text, IPV4), ...six];
}
