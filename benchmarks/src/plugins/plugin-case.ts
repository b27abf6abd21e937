import type {
  ConsumerDirectory,
  ConsumerIdentity,
  Outbound,
  Plugin,
  RuntimeOptions,
  SecretSource,
  SharedStore,
} from '@portcullis/plugin-runtime';

/** What a plugin is measured with: one instance, and a typical request that it lets pass. */
export interface PluginCase {
  readonly plugin: Plugin;
  readonly config: unknown;
  /** Of the request: name and value by turns. */
  readonly headers: readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: Uint8Array;
  readonly isFromTrustedPeer?: boolean;
  /** In DER, the client's own first. */
  readonly peerCertificates?: readonly Uint8Array[];
  readonly consumers?: ConsumerDirectory;
  /** Whom an earlier plugin has found the client to be. */
  readonly consumer?: ConsumerIdentity;
  readonly outbound?: Outbound;
  readonly secrets?: SecretSource;
  readonly sharedStore?: SharedStore;
  readonly logFilesOf?: RuntimeOptions['logFilesOf'];
  /** Whether the response stage and the end of the exchange are run and counted too. Default: the request stage alone. */
  readonly isWhole?: boolean;
  /** Header of the upstream's answer, name and value by turns, where {@link isWhole}. */
  readonly answer?: readonly string[];
  /** Body of that answer. Default: a small JSON object. */
  readonly answerBody?: Uint8Array;
  /** Requests that go before and end in any way. Default: none. */
  readonly before?: number;
  /** How the request ends that is measured. Default `continue`. */
  readonly ends?: 'continue' | 'respond';
  /**
   * Headers of requests whose credentials were never seen, each used once: what they cost is given beside what a seen one costs. Only of plugins
   * that keep what they have verified.
   */
  readonly unseen?: readonly (readonly string[])[];
  /** Servers and files that the case has made. */
  readonly close?: () => Promise<void>;
}

/** Makes a case ready. */
export type MakeCase = () => PluginCase | Promise<PluginCase>;

/** A case before its plugin is looked up. */
export type CaseParts = Omit<PluginCase, 'plugin'>;
