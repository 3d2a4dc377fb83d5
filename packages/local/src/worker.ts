/** Runs in a worker thread: indexes one document after another, so that the main thread stays free to answer. */
import { parentPort } from 'node:worker_threads';
import { ParseError } from './document.ts';
import { indexDocument, reindexSegment } from './indexing/index-document.ts';
import type { IndexingJob, IndexingOutcome } from './indexing/job.ts';
import { DamagedFile } from './store/errors.ts';

parentPort?.on('message', async (job: IndexingJob) => {
  const outcome = await run(job);
  const transfer = 'segment' in outcome ? [outcome.segment.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(outcome, transfer);
});

async function run(job: IndexingJob): Promise<IndexingOutcome> {
  try {
    const segment = job.kind === 'index' ? await indexDocument(job.path) : reindexSegment(job.path);
    return { segment };
  } catch (error) {
    if (error instanceof ParseError) return { code: error.code, message: error.message };
    if (error instanceof DamagedFile)
      return { code: 'damaged', message: `the stored copy is damaged (${error.message})` };
    // Parsers fail in their own words on files that are not what they claim to be.
    return { code: 'invalid', message: `the file could not be read (${briefly(error)})` };
  }
}

function briefly(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
