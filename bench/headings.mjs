// Headings and sections of PDFs against hand-labelled ones. `npm run bench:headings [-- FOLDER]`, FOLDER as ../shared/data.
// F1: a heading is found when its letters and digits stand as a heading on its page. Labels of level 0 (running heads,
// bold sentences) count neither way. Level agreement: of two headings found in a row, the second is deeper, level or
// shallower, as labelled. The sections of every filing are measured beside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importSource } from './source.mjs';

const BARS = { f1: 0.95, levels: 0.88, meanWords: [200, 350], maxWords: 500 };
const data = process.argv[2] ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
const goldFile = `${data}/headings/gold.json`;
const pdfs = `${data}/financebench/pdfs`;
if (!existsSync(goldFile) || !existsSync(pdfs)) {
  console.log(`Skipped: no data in ${data}. Name the folder that holds headings/ and financebench/.`);
  process.exit();
}

const { parseDocument } = await importSource('packages/local/src/parse/parse.ts');
const { cutSections } = await importSource('packages/local/src/sections.ts');
const gold = JSON.parse(readFileSync(goldFile, 'utf8'));
const totals = { hit: 0, extra: 0, missed: 0, agreed: 0, pairs: 0 };
const lengths = [];
let pages = 0;
const start = process.cpuUsage();

console.log('file                              pages  sections  words  longest  statements  items   found');
for (const filename of readdirSync(pdfs).filter((name) => name.endsWith('.pdf'))) {
  const parsed = await parseDocument({ bytes: readFileSync(`${pdfs}/${filename}`), filename });
  pages += parsed.pageCount;
  const sections = cutSections(parsed);
  const words = sections.map((section) => countWords(section.text)).filter((count) => count > 0);
  lengths.push(...words);
  const titled = (pattern) => new Set(sections.filter((s) => pattern.test(s.title)).map((s) => s.title)).size;
  const statements = titled(/(?:statements?\)? of |balance sheets?)/i);
  const items = titled(/^items?\s+\d/i);
  const found = gold[filename] ? score(parsed.blocks, gold[filename]) : '';
  const columns = [
    [parsed.pageCount, 5],
    [words.length, 10],
    [mean(words).toFixed(0), 7],
    [Math.max(...words), 9],
    [statements, 12],
    [items, 7],
  ];
  const figures = columns.map(([value, width]) => String(value).padStart(width)).join('');
  console.log(`${filename.slice(0, 33).padEnd(33)} ${figures}   ${found}`);
}

const { user, system } = process.cpuUsage(start);
const precision = totals.hit / (totals.hit + totals.extra);
const recall = totals.hit / (totals.hit + totals.missed);
const f1 = (2 * precision * recall) / (precision + recall);
const levels = totals.agreed / totals.pairs;
const longest = Math.max(...lengths);
console.log(`
headings        F1 ${f1.toFixed(3)} (bar ${BARS.f1}), precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}
levels          agreement ${levels.toFixed(3)} (bar ${BARS.levels}) of ${totals.pairs} pairs
sections        ${lengths.length}, mean ${mean(lengths).toFixed(0)} words (bar ${BARS.meanWords.join('–')}), longest ${longest} (bar ${BARS.maxWords})
speed           ${(pages / ((user + system) / 1e6)).toFixed(0)} pages a CPU second, ${pages} pages`);
const inBounds = mean(lengths) >= BARS.meanWords[0] && mean(lengths) <= BARS.meanWords[1];
if (f1 < BARS.f1 || levels < BARS.levels || longest > BARS.maxWords || !inBounds) process.exitCode = 1;

function score(blocks, { pages: labelled, heads }) {
  const got = blocks.filter((block) => block.kind === 'heading' && labelled.includes(block.page));
  const used = new Set();
  const matched = [];
  let missed = 0;
  for (const head of heads) {
    const at = got.findIndex((block, i) => !used.has(i) && block.page === head.p && isSame(block.text, head));
    if (at >= 0) used.add(at);
    if (head.lv === 0) continue;
    if (at < 0) missed++;
    else matched.push({ want: head.lv, got: got[at].level });
  }
  const extra = got.length - used.size;
  const pairs = matched.slice(1).map((second, i) => [matched[i], second]);
  const agreed = pairs.filter(([a, b]) => Math.sign(b.want - a.want) === Math.sign(b.got - a.got)).length;
  totals.hit += matched.length;
  totals.extra += extra;
  totals.missed += missed;
  totals.agreed += agreed;
  totals.pairs += pairs.length;
  return `${matched.length} of ${matched.length + missed}, ${extra} extra, levels ${agreed} of ${pairs.length}`;
}

/** A label of level 0 may be one line of what was read as one heading. */
function isSame(text, { t, lv }) {
  const [a, b] = [key(text), key(t)];
  return a === b || (lv === 0 && (a.startsWith(b) || b.startsWith(a)));
}

function key(text) {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

function countWords(text) {
  return text.split(/\s+/).filter(Boolean).length;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
