import { isIP } from 'node:net';
import type { NoteSigner } from '@portcullis/audit-chain';
import { type Network, readNetworks, readRefusedNetworks, type RefusedNetwork } from '@portcullis/egress';
import { type EnvAllow, parseEnvAllow } from '@portcullis/vaults';
import { type AnchorSettings, parseAnchors } from './audits/checkpoints/anchor-setting.ts';
import { parseAuditKeys } from './audits/checkpoints/audit-key-setting.ts';
import { isServerAddress } from './database/server-address.ts';
import { type AddressList, parseAddressList } from './http/address-list.ts';
import { passwordWeakness } from './identity/password-rules.ts';
import { type LogLevel, logLevels } from './logging.ts';
import { type KeyRing, parseKeyRing } from './secrets/key-ring.ts';

/** Prints a key for `PORTCULLIS_SECRET_KEYS`. */
export const keyCommand = `node -e "console.log('k1:' + require('node:crypto').randomBytes(32).toString('base64'))"`;

/** A setting's value breaks a rule. The message continues a sentence that begins with the setting's name. */
export class SettingError extends Error {}

export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new SettingError('must be on or off.');
  return text === 'on';
}

export function portNumber(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new SettingError('must be a port from 0 to 65535.');
  return port;
}

/** Whether the address can be had shows only when it is listened on; whether it is one at all is told with the rest. */
export function listenAddress(text: string): string {
  const isName = /^(?=.{1,253}$)[\w-]{1,63}(?:\.[\w-]{1,63})*$/.test(text) && !/^[\d.]+$/.test(text);
  if (isIP(text) === 0 && !isName) throw new SettingError('must be an IP address, without brackets, or a host name.');
  return text;
}

export function databaseAddress(text: string): string {
  if (!/^(?:sqlite:.|postgres(?:ql)?:\/\/.)/.test(text)) {
    throw new SettingError('must begin with sqlite: and a path, or with postgres://.');
  }
  if (/^sqlite:(?:\/\/)?(?:$|.*:memory:)/.test(text)) {
    throw new SettingError('needs the path of a file after sqlite:; a database in memory cannot be shared by threads.');
  }
  if (text.startsWith('postgres') && !isServerAddress(text)) {
    throw new SettingError(
      'must have the form postgres://USER:PASSWORD@HOST:PORT/NAME; write %40 for @, %3A for :, %2F for / and %25 for % ' +
        'inside a part.',
    );
  }
  return text;
}

export function keyRingOf(text: string): KeyRing {
  if (text === '') throw new SettingError(`is not set; make a key, keep it safe, and set it: ${keyCommand}`);
  const result = parseKeyRing(text);
  if (result.ok) return result.keyRing;
  const problems = result.problems.map(({ position, message }) => `entry ${position} ${message}`);
  throw new SettingError(`is not usable: ${problems.join('; ')}.`);
}

export function signingKeys(text: string): readonly NoteSigner[] {
  if (text === '') return [];
  const result = parseAuditKeys(text);
  if (!result.ok) throw new SettingError(result.message);
  return result.signers;
}

export function anchors(text: string): AnchorSettings {
  const result = parseAnchors(text);
  if (!result.ok) throw new SettingError(result.message);
  return result.anchors;
}

export function networks(text: string): readonly Network[] {
  const result = readNetworks(text);
  if (!result.ok) throw new SettingError(`must list addresses or CIDR ranges: ${result.mistakes.join('; ')}.`);
  return result.networks;
}

export function refusedNetworks(text: string): readonly RefusedNetwork[] {
  const networks = readRefusedNetworks(text);
  if (networks === undefined)
    throw new SettingError('must list addresses or CIDR ranges, each with or without a port.');
  return networks;
}

export function variableLists(text: string): EnvAllow {
  const result = parseEnvAllow(text);
  if ('mistake' in result) throw new SettingError(`${result.mistake}.`);
  return result.allow;
}

export function userName(text: string): string {
  const isFit = text.length <= 128 && text.trim() === text && /^[^\p{Cc}\p{Cs}]+$/u.test(text);
  if (!isFit) throw new SettingError('must be 1 to 128 characters without control characters or spaces around.');
  return text;
}

export function newPassword(text: string): string | undefined {
  if (text === '') return undefined;
  const weakness = passwordWeakness(text);
  if (weakness !== undefined) throw new SettingError(`${weakness}.`);
  return text;
}

export function level(text: string): LogLevel {
  const found = logLevels.find((candidate) => candidate === text);
  if (found === undefined) throw new SettingError(`must be one of ${logLevels.join(', ')}.`);
  return found;
}

export function addresses(text: string): AddressList {
  const result = parseAddressList(entriesOf(text));
  if (!result.ok)
    throw new SettingError(`must list addresses or CIDR ranges; ${result.invalid.length} of them are neither.`);
  return result.list;
}

/** Exact origins only: `*` would let any page that a user visits try the service from inside its network. */
export function origins(text: string): ReadonlySet<string> {
  const entries = entriesOf(text);
  const wrong = entries.filter((entry) => !isOrigin(entry));
  if (wrong.length > 0)
    throw new SettingError(`must list origins such as https://console.example.com; ${wrong.length} of them are none.`);
  return new Set(entries);
}

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function entriesOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
