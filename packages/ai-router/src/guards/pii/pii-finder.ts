import type { TextFinder, TextRange } from '../text-range.ts';
import { cardRanges } from './card-numbers.ts';
import { emailRanges } from './email-addresses.ts';
import { ibanRanges } from './ibans.ts';
import { ipRanges } from './ip-addresses.ts';
import { phoneRanges } from './phone-numbers.ts';
import { ssnRanges } from './social-security-numbers.ts';

/** Kinds of personal data that are found. Source: wire, Value forms, AI. */
export const piiTypes = ['email', 'phone', 'credit_card', 'ssn', 'iban', 'ip_address'] as const;

/** See {@link piiTypes}. */
export type PiiType = (typeof piiTypes)[number];

const RANGES: Readonly<Record<PiiType, (text: string) => readonly TextRange[]>> = {
  email: emailRanges,
  phone: phoneRanges,
  credit_card: cardRanges,
  ssn: ssnRanges,
  iban: ibanRanges,
  ip_address: ipRanges,
};

/** Finds personal data of one kind. */
export function piiFinder(type: PiiType): TextFinder {
  return { rangesIn: RANGES[type] };
}
