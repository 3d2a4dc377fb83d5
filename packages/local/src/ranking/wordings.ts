import { analyse } from '../analysis/analyse.ts';
import type { Language } from '../analysis/languages.ts';

type Wordings = readonly (readonly [asked: RegExp, written: string])[];

/**
 * Figures that people ask for, and the words in which reports write it. Only names of things that have two common names in
 * business and public reporting: nothing here knows a document.
 */
const FIGURES: Wordings = [
  [
    /\bcap(?:ital )?\s?-?ex(?:penditures?|penses?)?\b|\bcapital (?:spending|outlays?|investments?)\b/i,
    'purchases of property plant and equipment additions',
  ],
  [/\bpp(?:&|n|and)?\s?e\b/i, 'property plant and equipment'],
  [
    /\brevenues?\b|\btop[ -]line\b|(?<!(?:employee|staff|personnel|workforce|labou?r|voluntary|customer|tenant|inventory|asset|receivables?) )\bturnover\b/i,
    'net sales revenue',
  ],
  [/\bcogs\b|\bcosts? of (?:goods sold|revenues?)\b/i, 'cost of sales cost of goods sold'],
  [/\bd&a\b|\bda expense\b/i, 'depreciation and amortization'],
  [/\bebit(?:da)?\b/i, 'operating income depreciation and amortization'],
  [
    /\bfree cash ?flow\b|\bfcf\b/i,
    'net cash provided by operating activities purchases of property plant and equipment',
  ],
  [
    /\b(?:operating )?cash ?flows? from operations\b|\boperating cash ?flows?\b/i,
    'net cash provided by operating activities',
  ],
  [/\bdividends?\b/i, 'dividends paid cash dividends declared per share'],
  [/\bbuy[ -]?backs?\b|\brepurchas\w+\b/i, 'repurchases of common stock treasury stock'],
  [/\beps\b/i, 'earnings per share diluted basic'],
  [/\br&d\b|\brnd\b/i, 'research and development'],
  [/\bsg&a\b|\bsga\b/i, 'selling general and administrative'],
  [/\bquick ratio\b/i, 'current assets cash equivalents accounts receivable current liabilities'],
  [/\bworking capital\b|\bcurrent ratio\b|\bliquidity\b/i, 'total current assets total current liabilities'],
  [/\binventory turn\w*\b|\bdays? (?:of )?inventory\b|\bdio\b/i, 'inventories cost of sales'],
  [/\bdays? (?:sales|receivables?)\b|\bdso\b/i, 'accounts receivable net sales'],
  [/\bdays? payables?\b/i, 'accounts payable cost of sales'],
  [/\basset turnover\b/i, 'total assets net sales'],
  [/\broa\b|\breturn on assets\b/i, 'net income total assets'],
  [/\broe\b|\breturn on equity\b/i, 'net income shareholders equity'],
  [/\bgross margins?\b|\bgross profit margins?\b/i, 'gross profit cost of sales'],
  [/\boperating margins?\b/i, 'operating income net sales'],
  [/\beffective tax rate\b/i, 'provision for income taxes income before income taxes'],
  [/\binterest coverage\b/i, 'interest expense operating income'],
  [
    /\b(?:financial|net|debt) leverage\b|\bleverage ratios?\b|\bdebt[ -]to[ -]equity\b/i,
    'total debt long-term debt shareholders equity',
  ],
];

/** As above, for what is told in words. */
const TOPICS: Wordings = [
  [/\blegal battles?\b|\blawsuits?\b|\blitigations?\b/i, 'legal proceedings litigation claims'],
  [
    /(?<!\b(?:data|image|signal|land|language|skill) )\bacquisitions?\b|\b(?:compan(?:y|ies)|business(?:es)?) .{0,40}\bacquired\b|\bm&a\b|\btakeovers?\b/i,
    'acquisition business combination purchase price',
  ],
  [/\bhead ?count\b|\bstaff\b|\bworkforce\b/i, 'employees human capital'],
  [/\bcompetitors?\b|\brivals?\b/i, 'competition'],
  [/\bcustomer concentration\b|\blargest customers?\b/i, 'customers accounted for net sales'],
];

export interface OtherWordings {
  /** Index terms that the thing asked for goes by in reports. */
  readonly terms: ReadonlySet<string>;
  /** It is a figure that stands in a table. */
  readonly isFigure: boolean;
}

export function otherWordings(text: string, language: Language): OtherWordings {
  const written = (table: Wordings) => table.filter(([asked]) => asked.test(text)).map(([, words]) => words);
  const figures = written(FIGURES);
  return {
    terms: new Set([...figures, ...written(TOPICS)].flatMap((words) => analyse(words, language))),
    isFigure: figures.length > 0,
  };
}
