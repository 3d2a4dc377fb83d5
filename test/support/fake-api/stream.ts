import { find } from './documents.ts';
import { type Exchange, type Handler, isReply, readFields, text } from './exchange.ts';
import { sectionView, select } from './query.ts';
import { eventStream, failure, type Reply } from './reply.ts';
import { type Hit, retrieve } from './sections.ts';
import { progressOf } from './world.ts';

type Event = [type: string, data: Record<string, unknown>];

const cannotStream = 'inner strategy does not support streaming';

/** `POST /v1/query/stream`: S alone. Zero and empty fields are left out of events, so slice 0 has no index. */
export const queryStream: Handler = async (exchange) => {
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const { strategy: _ignored, ...rest } = fields;
  const selection = select(exchange, rest);
  if ('status' in selection) return selection;
  const refusal = refuse(exchange, {});
  if (refusal !== undefined) return refusal;
  const { document, query, hits } = selection;
  const head = { total_slices: 2, message: 'starting', strategy: 'chunked-tree' };
  const events: Event[] = [['started', { ...head, document_id: document.id, query }], ...slices(hits)];
  if (exchange.behaviour.streaming !== 'cut-short')
    events.push(['completed', { message: 'done', elapsed_ms: 9 }]);
  return eventStream(events.map(typed));
};

/** `POST /v1/query/multi/stream`: sections are ids alone, every document ends by itself, the end is EOF. */
export const queryManyStream: Handler = async (exchange) => {
  const fields = await readFields(exchange);
  if (isReply(fields)) return fields;
  const ids = Array.isArray(fields.document_ids) ? fields.document_ids.map(String) : [];
  const question = text(fields, 'query');
  if (ids.length === 0 || question === '') {
    return failure(400, 'document_ids (non-empty) and query are required');
  }
  const refusal = refuse(exchange, { document_id: '', doc_index: 0 });
  if (refusal !== undefined) return refusal;
  return eventStream(ids.flatMap((id, index) => oneOfMany(exchange, id, index, question)).map(typed));
};

function oneOfMany(exchange: Exchange, id: string, index: number, question: string): Event[] {
  const at = { document_id: id, doc_index: index };
  const document = find(exchange, id);
  if (document === undefined) return [['error', { ...at, message: 'db: not found' }]];
  const hits = progressOf(document).parsed ? retrieve(document.sections, question) : [];
  return [
    ['started', { ...at, total_slices: 1, message: 'starting' }],
    ...hits.map(
      ({ section }): Event => [
        'section_selected',
        { ...at, section: { id: section.id, document_id: id }, total_slices: 1 },
      ],
    ),
    ['completed', { ...at, message: 'done', elapsed_ms: 9 }],
  ];
}

/** Two slices that run at once: their events interleave, and a section may come twice. */
function slices(hits: readonly Hit[]): Event[] {
  const begun: Event[] = [
    ['slice_started', { total_slices: 2, message: 'slice 0' }],
    ['slice_started', { slice_index: 1, total_slices: 2, message: 'slice 1' }],
  ];
  const found = hits.map(
    (hit, index): Event => [
      'section_selected',
      { section: sectionView(hit, 'S'), ...(index % 2 === 0 ? {} : { slice_index: 1 }), total_slices: 2 },
    ],
  );
  return [
    ...begun,
    ...found,
    ...found.slice(0, 1),
    ['slice_completed', { slice_index: 1, total_slices: 2, message: 'slice 1' }],
    ['slice_completed', { total_slices: 2, message: 'slice 0' }],
  ];
}

function refuse({ behaviour }: Exchange, at: Record<string, unknown>): Reply | undefined {
  if (behaviour.streaming === 'unsupported') return failure(501, 'strategy does not support streaming');
  if (behaviour.streaming !== 'single-error') return undefined;
  return eventStream([typed(['error', { ...at, message: cannotStream }])]);
}

const typed = ([type, data]: Event): [string, unknown] => [type, { type, ...data }];
