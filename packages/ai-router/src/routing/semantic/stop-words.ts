/** English words that say nothing of what a text is about. Source: ai, Semantic routing by feature hashing. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be because been but by can could did do does for from get give ' +
    'had has have he her here him his how i if in into is it its just let like make may me more most my no not ' +
    'of on one or our out please she should so some such than that the their them then there these they this ' +
    'those to too up us want was we were what when where which who why will with would you your'
  ).split(' '),
);
