import type { Argument, Command, Option } from 'commander';

/** Every command that does something, the first level's order kept, with the groups of commands left out. */
export function commandsOf(parent: Command): readonly Command[] {
  return parent.commands.flatMap((command) => (command.commands.length > 0 ? commandsOf(command) : [command]));
}

/** The name of a command as it is typed. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}

/** The command lines that a command's help shows. */
export function examplesOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line);
}

/** The page of the command line, made from the program itself. */
export function gwctlReference(program: Command): string {
  const head = [
    '# gwctl',
    '',
    'Written by `npm run generate` from the command line itself. [The README](../../apps/gwctl/README.md) explains it.',
    '',
    '## Options of every command',
    '',
    ...optionRows(program),
    '',
    'They may stand before or after the command. An option beats its environment variable, which beats the current',
    'context. `GWCTL_CONFIG` names the file of contexts, `~/.gwctl/config.json` otherwise. `NO_COLOR` turns colours off.',
    '',
    '## Exit codes',
    '',
    '| Code | Meaning |',
    '| --- | --- |',
    '| 0 | done, or no difference |',
    '| 1 | failed or invalid |',
    '| 2 | `diff` found differences |',
    '| 3 | partly applied |',
    '| 130 | interrupted |',
  ];
  return `${[...head, ...commandsOf(program).flatMap(section)].join('\n')}\n`;
}

function section(command: Command): string[] {
  const options = command.options.filter(({ hidden }) => !hidden);
  const examples = examplesOf(command);
  return [
    '',
    `## ${fullName(command)}`,
    '',
    sentence(command.description()),
    '',
    '```text',
    `${fullName(command)} ${[...command.registeredArguments.map(argumentText), ...(options.length > 0 ? ['[options]'] : [])].join(' ')}`.trim(),
    '```',
    ...(options.length > 0 ? ['', ...optionRows(command)] : []),
    ...(examples.length > 0 ? ['', '```sh', ...examples, '```'] : []),
  ];
}

function optionRows(command: Command): string[] {
  const rows = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => `| \`${option.flags}\` | ${described(option)} |`);
  return ['| Option | Meaning |', '| --- | --- |', ...rows];
}

function described({ description, argChoices, defaultValue, mandatory }: Option): string {
  const notes = [
    ...(argChoices ? [argChoices.map((choice) => `\`${choice}\``).join(', ')] : []),
    ...(typeof defaultValue === 'string' ? [`default \`${defaultValue}\``] : []),
    ...(mandatory ? ['required'] : []),
  ];
  return `${description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`.replaceAll('|', '\\|');
}

function argumentText(argument: Argument): string {
  const name = `${argument.name().toUpperCase()}${argument.variadic ? '...' : ''}`;
  return argument.required ? name : `[${name}]`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
