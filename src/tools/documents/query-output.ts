import * as z from 'zod';
import { failedDocument } from './shapes.ts';

const section = z.object({
  section_id: z.string(),
  uri: z.string(),
  document_id: z.string(),
  document_title: z.string(),
  title: z.string(),
  heading_path: z.array(z.string()).optional(),
  page_start: z.int().optional(),
  page_end: z.int().optional(),
  score: z.number().optional(),
  content: z.string(),
  next_offset: z.int().optional(),
});

/** What vectorless_query answers, field by field. */
export const queryOutput = z.object({
  sections: z.array(section),
  not_shown: z.array(z.object({ section_id: z.string(), title: z.string() })).optional(),
  more_found: z.int().optional(),
  failed: z.array(failedDocument).optional(),
  more_failed: z.int().optional(),
  choose_from: z.array(z.object({ document_id: z.string(), title: z.string() })).optional(),
  more_to_choose_from: z.int().optional(),
  searched: z.int(),
  searched_in: z.array(z.string()).optional(),
});

export type QueryOutput = z.output<typeof queryOutput>;
