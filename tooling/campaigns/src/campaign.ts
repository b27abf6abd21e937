/** Figures of a run by name, for its last line. */
export type Figures = Readonly<Record<string, number | string | Readonly<Record<string, number>>>>;

/** A long count that can be asked for by name. */
export interface Campaign {
  readonly name: string;
  /** One line for the list. */
  readonly summary: string;
  /** One line per option, for the list. */
  readonly options: string;
  /**
   * Runs, and prints how it goes on.
   * @param args what follows the name on the command line
   * @throws OptionError when they are not understood, CampaignFailure when something was found
   */
  run(args: readonly string[]): Promise<Figures>;
}

/** A round found what must not be. */
export class CampaignFailure extends Error {
  override readonly name = 'CampaignFailure';
  readonly code = 'campaign_failure';
  /** Options that run the round again. */
  readonly repeat: string;

  constructor(message: string, repeat: string, options?: ErrorOptions) {
    super(message, options);
    this.repeat = repeat;
  }
}

/** The command line is not understood; the message says what is. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  readonly code = 'campaign_option';
}
