/** One contract, every server: the fake in both dialects, the embedded engine, and a live one when it is named. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { documentExpectations } from './documents.ts';
import { ingestExpectations } from './ingest.ts';
import { retrievalExpectations } from './retrieval.ts';
import { engineSubject, fakeSubject, liveSubject, type Subject } from './subject.ts';
import { sdkExpectations } from './through-sdk.ts';

const {
  VECTORLESS_CONTRACT_URL: url,
  VECTORLESS_CONTRACT_KEY: key,
  VECTORLESS_CONTRACT_ORG: org,
} = process.env;

const subjects: readonly (readonly [name: string, open: () => Promise<Subject>])[] = [
  ['the fake, dialect S', () => fakeSubject('S')],
  ['the fake, dialect E', () => fakeSubject('E')],
  ['the embedded engine', engineSubject],
  ...(url ? ([['the live server', () => liveSubject(url, key, org)]] as const) : []),
];

const expectations = [
  ...ingestExpectations,
  ...documentExpectations,
  ...retrievalExpectations,
  ...sdkExpectations,
];

describe.each(subjects)('%s', (_name, open) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => subject?.close());

  test.for(expectations.map((expectation) => [expectation.says, expectation] as const))(
    '%s',
    { timeout: 60_000 },
    async ([, { only, check }], { skip }) => {
      if (only !== undefined && !only(subject)) return skip('holds for other servers only');
      await check(subject);
    },
  );
});

test.skipIf(url)(
  'a live server: set VECTORLESS_CONTRACT_URL, and _KEY and _ORG where it wants them',
  ({ skip }) => skip('VECTORLESS_CONTRACT_URL is not set'),
);
