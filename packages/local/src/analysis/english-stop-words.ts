/** Words that carry no topic: articles, pronouns, auxiliaries, prepositions, and what people wrap a question in. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those such same
   i me my we us our ours you your yours he him his she her hers it its they them their theirs itself themselves own
   am is are was were be been being do does did doing have has had having
   can could may might must shall should will would
   and or but nor not no if then than as because while until so
   of at by for with about against between into through during before after above below to from up down in out on off
   over under upon via per within
   again further once here there when where why how what which who whom whose
   all any both each few more most other some many much only very just also too
   please tell show explain describe give given use used using based etc eg ie`
    .split(/\s+/)
    .filter(Boolean),
);
