/** The first word of a command line that a completion script asks with. */
export const completeWord = '__complete';
