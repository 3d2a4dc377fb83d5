/** Where a question says to look: "in the cash flow statement", "from Note 7", "the section 'Liquidity'". */

const KIND =
  'statements?|sheets?|tables?|sections?|notes?|footnotes?|chapters?|appendix|appendices|schedules?|figures?|exhibits?|reports?|summary';
const WORD = "[\\p{L}&'’-]+";

/** A noun phrase that ends in the kind of a source, after a preposition and an article. */
const AFTER_PREPOSITION = new RegExp(
  `\\b(?:in|within|from|on|of|by|with|via|only|the|to|and|using|utili[sz]ing)\\s+(?:only\\s+|just\\s+|primarily\\s+)?(?:the|its|their)\\s+` +
    `((?:${WORD}\\s+){0,3}(?:${KIND})(?:\\s+(?:of|for|on)\\s+(?:the\\s+)?${WORD}(?:\\s+${WORD})?)?)`,
  'giu',
);
/** The second of two: "the income statement and balance sheet". */
const AFTER_CONJUNCTION = new RegExp(`\\b(?:and|or)\\s+(?:the\\s+)?((?:${WORD}\\s+){1,2}(?:${KIND}))`, 'giu');
const QUOTED = /[“"'‘]([\p{L}][^“”"'‘’]{3,60})[”"'’]/gu;

export function namedSources(question: string): string[] {
  return [AFTER_PREPOSITION, AFTER_CONJUNCTION, QUOTED].flatMap((pattern) =>
    Array.from(question.matchAll(pattern), (match) => match[1] ?? ''),
  );
}
