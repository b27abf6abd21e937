import type { Argument, Command, Option } from 'commander';

/** One way to go on. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Names that are not in the command line itself, asked for only when they are needed. */
export interface NameSources {
  readonly entities: () => Promise<readonly Candidate[]>;
  readonly contexts: () => readonly Candidate[];
}

/** What fits: candidates, and whether names of files do. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly files: boolean;
}

const none: Completion = { candidates: [], files: false };

/**
 * What may stand at the end of a command line.
 * @param words all words after the program's name; the last is the one that is being typed, perhaps empty
 */
export async function completionOf(
  program: Command,
  words: readonly string[],
  sources: NameSources,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const { command, operands, pending } = walked(program, words.slice(0, -1));
  const found = await (pending ? ofValue(pending, sources) : ofWord(program, command, { operands, typed }, sources));
  return { ...found, candidates: found.candidates.filter(({ value }) => value.startsWith(typed)) };
}

/** The command that the words name, how many arguments it has already, and the option whose value comes next. */
function walked(program: Command, words: readonly string[]) {
  let command = program;
  let operands = 0;
  let pending: Option | undefined;
  for (const word of words) {
    if (pending) pending = undefined;
    else if (word.startsWith('-')) pending = valueOption(program, command, word);
    else {
      const next = operands === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (next) command = next;
      else operands += 1;
    }
  }
  return { command, operands, pending };
}

function valueOption(program: Command, command: Command, word: string): Option | undefined {
  return optionsOf(program, command).find(
    (one) => (one.required || one.optional) && [one.short, one.long].includes(word),
  );
}

function optionsOf(program: Command, command: Command): readonly Option[] {
  return [...new Set([...command.options, ...(command.parent?.options ?? []), ...program.options])];
}

function ofValue(option: Option, sources: NameSources): Promise<Completion> {
  if (option.argChoices) return Promise.resolve(listed(option.argChoices));
  return ofPlaceholder(/<(.+?)(?:\.\.\.)?>/.exec(option.flags)?.[1] ?? '', sources);
}

async function ofWord(
  program: Command,
  command: Command,
  { operands, typed }: { readonly operands: number; readonly typed: string },
  sources: NameSources,
): Promise<Completion> {
  if (typed.startsWith('-')) {
    const all = optionsOf(program, command).flatMap((one) =>
      one.hidden || one.long === undefined ? [] : [{ value: one.long, description: one.description }],
    );
    return { candidates: [...all, { value: '--help', description: 'print this help' }], files: false };
  }
  if (command.commands.length > 0 && operands === 0) {
    return {
      candidates: command.commands.map((one) => ({ value: one.name(), description: one.description() })),
      files: false,
    };
  }
  const argument = argumentAt(command.registeredArguments, operands);
  if (!argument) return none;
  return argument.argChoices ? listed(argument.argChoices) : ofPlaceholder(argument.name(), sources);
}

function argumentAt(declared: readonly Argument[], index: number): Argument | undefined {
  const last = declared.at(-1);
  return declared[index] ?? (last?.variadic === true ? last : undefined);
}

/** The name of an argument or of an option's value says what it stands for. */
async function ofPlaceholder(name: string, sources: NameSources): Promise<Completion> {
  if (name === 'entity') return { candidates: await sources.entities(), files: false };
  if (name === 'context') return { candidates: sources.contexts(), files: false };
  return { candidates: [], files: /^(?:files?|folder|path)$/.test(name) };
}

function listed(values: readonly string[]): Completion {
  return { candidates: values.map((value) => ({ value, description: '' })), files: false };
}
