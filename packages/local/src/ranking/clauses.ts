/** A part of a question, and what it is for. */
export interface Clause {
  /**
   * `question` is what is asked; `leadIn` opens it ("Using the …, what"); `context` is a statement beside it; `definition` says
   * how something is computed; `instruction` says how to answer; `condition` says what to do when there is no answer.
   */
  readonly kind: 'question' | 'leadIn' | 'context' | 'definition' | 'instruction' | 'condition';
  readonly text: string;
}

const ASKING =
  'what|how|which|who|whom|whose|when|where|why|is|are|was|were|did|does|do|has|have|had|can|could|will';

/** Ends of sentences, and a colon before the question proper. A stop after a digit or letter needs a capital to follow. */
const BOUNDARY = new RegExp(
  `(?<=[?!])\\s+|(?<=[a-z0-9)%]\\.)\\s+(?=\\p{Lu})|(?<=:)\\s+(?=(?:${ASKING})\\b)`,
  'u',
);

const CONDITION =
  /^(?:if|in case|when|where)\b.*\b(?:please\s+)?(?:state|say|mention|note|explain|indicate|tell|answer|respond|write)\b/i;
const INSTRUCTION =
  /^(?:(?:please|then|also|kindly|and|or)\s+)*(?:answer|give|provide|respond|reply|round|state|report|express|show|return|use|utili[sz]e|base|address|approach|assume|imagine|suppose|pretend|consider|calculate|compute|refer|rely|explain|justify|help|make sure|ensure|do not|don't|note|let's|(?:we|i) (?:want|need|would like) to|you are|here(?:'s| is) the question|act as|be (?:concise|brief|specific))\b/i;
const DEFINITION = /\b(?:defined?|computed|calculated) (?:here )?as\b|^(?:define|calculate|compute)\b/i;
const ABOUT_ANSWERING = /\b(?:asked|question|answer)\b/i;
const ANSWER_THIS = /\banswer (?:the|this|my) (?:following )?question\b/i;
const LEAD_IN = new RegExp(
  `^(?:in|on|by|using|based|basing|according|considering|drawing|relying|given|with|from|utili[sz]ing|adhering|referring|looking)\\b` +
    `[^?]*?[,:]\\s*(?=.*\\b(?:${ASKING}|calculate|compute)\\b)`,
  'i',
);

export function clausesOf(text: string): Clause[] {
  const sentences = text
    .trim()
    .split(BOUNDARY)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
  const clauses = sentences.flatMap((sentence) => classify(sentence, sentences.length === 1));
  if (clauses.some(({ kind }) => kind === 'question')) return clauses;
  // Nothing asks: keywords, or a request. What stands there is what is looked for.
  const asked = clauses.find(({ kind }) => kind === 'context' || kind === 'definition') ?? clauses[0];
  return clauses.map((clause) => (clause === asked ? { kind: 'question', text: clause.text } : clause));
}

function classify(sentence: string, alone: boolean): Clause[] {
  const asks = /\?\W*$/.test(sentence);
  const leadIn = asks ? LEAD_IN.exec(sentence)?.[0] : undefined;
  if (leadIn) {
    return [
      { kind: 'leadIn', text: leadIn },
      { kind: 'question', text: sentence.slice(leadIn.length) },
    ];
  }
  if (CONDITION.test(sentence) && !asks) return [{ kind: 'condition', text: sentence }];
  if (asks) return [{ kind: 'question', text: sentence }];
  if (DEFINITION.test(sentence) && !ABOUT_ANSWERING.test(sentence))
    return [{ kind: 'definition', text: sentence }];
  if (INSTRUCTION.test(sentence) || ANSWER_THIS.test(sentence))
    return [{ kind: 'instruction', text: sentence }];
  return [{ kind: alone ? 'question' : 'context', text: sentence }];
}
