/** The pages of documentation that people copy snippets and commands from. */
import { readdirSync, readFileSync } from 'node:fs';
import { repository } from './child.ts';

export const pages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'packages/sdk/README.md'].concat(
  readdirSync(`${repository}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);

export const textOf = (page: string): string => readFileSync(repository + page, 'utf8');

/** Fenced blocks: their language and what is in them. */
export const blocksOf = (text: string): readonly { readonly language: string; readonly body: string }[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', body = '']) => ({
    language,
    body,
  }));
