import { randomUUID } from 'node:crypto';

/** One section of a document in the fake, in reading order. */
export interface FakeSection {
  readonly id: string;
  readonly parentId: string;
  readonly ordinal: number;
  /** 0 for a top-level section. */
  readonly depth: number;
  readonly title: string;
  readonly content: string;
  /** Absent when the document has no `[[page N]]` markers. */
  readonly pageStart?: number;
  readonly pageEnd?: number;
}

/** Cuts text at Markdown headings. A line `[[page N]]` begins page N and is no part of any section. */
export function cutSections(text: string, fallbackTitle: string): { title: string; sections: FakeSection[] } {
  const drafts: Draft[] = [];
  let draft: Draft = { title: fallbackTitle, level: 1, lines: [] };
  let page: number | undefined;
  for (const line of text.split('\n')) {
    const marker = /^\[\[page (\d+)\]\]\r?$/.exec(line)?.[1];
    const heading = /^(#{1,6}) +(.+?)\r?$/.exec(line);
    if (marker !== undefined) {
      page = Number(marker);
    } else if (heading?.[1] !== undefined && heading[2] !== undefined) {
      drafts.push(draft);
      draft = { title: heading[2], level: heading[1].length, lines: [], pageStart: page, pageEnd: page };
    } else {
      draft.lines.push(line);
      if (line.trim() !== '') {
        draft.pageStart ??= page;
        draft.pageEnd = page;
      }
    }
  }
  drafts.push(draft);
  const [preface, ...rest] = drafts;
  const kept = preface && preface.lines.join('').trim() !== '' ? drafts : rest;
  const title = rest.find(({ level }) => level === 1)?.title ?? rest[0]?.title ?? fallbackTitle;
  return { title, sections: nest(kept) };
}

interface Draft {
  readonly title: string;
  readonly level: number;
  readonly lines: string[];
  pageStart?: number | undefined;
  pageEnd?: number | undefined;
}

function nest(drafts: readonly Draft[]): FakeSection[] {
  const open: { id: string; level: number }[] = [];
  return drafts.map((draft, ordinal) => {
    while ((open.at(-1)?.level ?? 0) >= draft.level) open.pop();
    const section: FakeSection = {
      id: `sec_${randomUUID()}`,
      parentId: open.at(-1)?.id ?? '',
      ordinal,
      depth: open.length,
      title: draft.title,
      content: draft.lines.join('\n').replace(/^\n+|\n+$/g, ''),
      ...(draft.pageStart === undefined ? {} : { pageStart: draft.pageStart }),
      ...(draft.pageEnd === undefined ? {} : { pageEnd: draft.pageEnd }),
    };
    open.push({ id: section.id, level: draft.level });
    return section;
  });
}

export interface Hit {
  readonly section: FakeSection;
  /** Share of the question's words that the section has, 0 to 1. */
  readonly overlap: number;
}

/** Stands in for retrieval: the sections that share most words with the question, best first. */
export function retrieve(sections: readonly FakeSection[], question: string): Hit[] {
  const asked = words(question);
  const hits = sections.map((section) => {
    const has = words(`${section.title} ${section.content}`);
    const shared = [...asked].filter((word) => has.has(word)).length;
    return { section, overlap: asked.size === 0 ? 0 : shared / asked.size };
  });
  hits.sort((a, b) => b.overlap - a.overlap || a.section.ordinal - b.section.ordinal);
  const best = hits[0]?.overlap ?? 0;
  return hits.filter(({ overlap }) => overlap > 0 && overlap >= best / 2);
}

/** About what a tokenizer counts. */
export const tokenCount = (text: string): number => Math.ceil(text.length / 4);

const trivial = new Set(
  'a an and are at by do does for how in is of on or the to what which who with'.split(' '),
);

function words(text: string): Set<string> {
  // Scripts without spaces: every character counts as a word.
  const found =
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
  return new Set(found.filter((word) => !trivial.has(word)));
}
