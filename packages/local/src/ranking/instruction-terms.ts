import { stem } from '../analysis/analyse.ts';

/** Words that tell the reader how to answer, not what to look for. Stemmed. */
export const INSTRUCTION_TERMS: ReadonlySet<string> = new Set(
  `answer question respond response reply give provide state report round decimal place places unit units
   percent percents percentage usd dollar dollars thousand thousands million millions billion billions
   rely relying primarily base basing draw drawing judgment judgments conclusion conclusions opinion
   information detail details data shown stated outlined clearly contained indicated presented following according
   ability abilities best assume assuming perspective standpoint point view analyst investor banker expert access
   metric useful relevant company explain please help compute calculate calculated calculation whether
   utilize utilizing define defined item items line lines only consider considering address approach
   ask asked like want need financial agreement`
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => stem(word)),
);
