/*
 * Short words that vectors do not see, because texts of all kinds have them, and that turn a question into another one all the same: `log in` and
 * `log out`, `who is` and `who was`, `my` and `your`. English; in other languages they are words like all others, which have to be the same anyway.
 */

const groups: Readonly<Record<string, string>> = {
  not: 'not no never none nor neither nobody nothing nowhere cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt hasnt havent hadnt mustnt without except unless',
  past: 'was were did had been',
  will: 'will ll shall going',
  should: 'should ought',
  must: 'must',
  may: 'may might',
  who: 'who whom whose',
  when: 'when',
  where: 'where',
  why: 'why',
  how: 'how',
  my: 'i my mine me myself',
  your: 'you your yours yourself',
  his: 'he him his himself',
  her: 'she her hers herself',
  our: 'we our ours us',
  their: 'they them their theirs themselves',
  or: 'or',
  only: 'only just',
  all: 'all every each',
  both: 'both',
  either: 'either',
  any: 'any',
  some: 'some several',
  few: 'few',
  more: 'more',
  most: 'most',
  less: 'less fewer',
  least: 'least',
  such: 'such same',
  out: 'out',
  up: 'up',
  off: 'off',
  down: 'down',
  on: 'on',
  over: 'over above',
  under: 'under below',
  into: 'into',
  from: 'from',
  by: 'by',
  with: 'with',
  than: 'than',
  next: 'then',
  after: 'after',
  before: 'before until',
  between: 'between',
  again: 'again',
  also: 'also',
  if: 'if',
};

/** Each such word, and the group of words that decide the same. */
export const decisiveWords: ReadonlyMap<string, string> = new Map(
  Object.entries(groups).flatMap(([group, words]) => words.split(' ').map((word) => [word, group] as const)),
);

/** Groups of which two texts may differ and mean the same, as long as not each has one of its own: `when` and `in which year`. */
export const askingGroups: ReadonlySet<string> = new Set(['who', 'when', 'where', 'why', 'how']);

/** Groups without which a question is another one for vectors of meaning, too, which see words for the same and do not see these well. */
export const turningGroups: ReadonlySet<string> = new Set([
  ...['not', 'past', 'will', 'my', 'your', 'his', 'her', 'our', 'their', 'more', 'most', 'less', 'least'],
  ...['only', 'all', 'both', 'either', 'any', 'some', 'few', 'should', 'must', 'may'],
  ...['out', 'up', 'off', 'down', 'over', 'under', 'from', 'with', 'after', 'before', 'next', 'than'],
]);

/** Words that are not compared: they say nothing by themselves. */
export const freeWords: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'is',
  'are',
  'am',
  'be',
  'do',
  'does',
  'of',
  'that',
  'so',
]);

/** Words that ask for an answer of any kind. Stems. Few, because what is left out is not compared: `what does hello mean` is not `what does hi mean`. */
export const fillerWords: ReadonlySet<string> = new Set(['explain', 'describ', 'defin']);

/** What people begin with before they ask. */
export const OPENING: RegExp =
  /^(?:(?:please|kindly|pls|hi|hello|hey|ok|okay|so|well|thanks|(?:can|could|would|will) you(?: please)?|(?:tell|show|give) me|explain to me|help me(?: to)? understand|i(?: would|'d| 'd)? (?:want|like) to know|i want to know|do you know|i wonder|i need to know|let me know)[\s,:!.]+)+/;

/** What people end with after they asked. Begins where a run of blanks does, so that long runs are looked at once. */
export const ENDING: RegExp = /(?<![\s,])(?:[\s,]+(?:please|pls|thanks|thank you|for me|to me))+[\s.!?]*$/;

/** Characters at the end of a text in which {@link ENDING} is looked for. */
export const ENDING_LENGTH_MAX = 64;
