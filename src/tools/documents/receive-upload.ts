import { checkBytes, headBytes, requireParseable } from '../../sources/inspect.ts';
import { type DocumentType, mimeOf, typeByExtension, typeByMime } from '../../sources/types.ts';
import type { Upload, UploadReceipt } from '../toolset.ts';
import type { DocumentsService } from './service.ts';

/** An upload may take as long as a slow line needs; the transport cuts off what stands still. */
const uploadWithinMs = 10 * 60_000;

/** Passes the bytes of an upload link on to the API as they come in. */
export async function receiveUpload(
  { filename, contentType, body, idempotencyKey, signal }: Upload,
  service: DocumentsService,
): Promise<UploadReceipt> {
  const type = uploadType(filename, contentType, service);
  const content = await checkedStart(body, type, filename);
  const { documentId, status } = await service.client.documents.ingest(
    { content, filename, contentType: mimeOf(type), idempotencyKey },
    { signal, timeoutMs: uploadWithinMs },
  );
  return { documentId, status };
}

/** @throws {Refusal} for a name and type that cannot be parsed: said before a link is given out. */
export function uploadType(
  filename: string,
  contentType: string,
  { settings }: DocumentsService,
): DocumentType {
  return requireParseable(typeByExtension(filename) ?? typeByMime(contentType), filename, settings.local);
}

/** Looks at the first bytes before any are passed on: what is not of its type is refused here, not later. */
async function checkedStart(
  body: ReadableStream<Uint8Array>,
  type: DocumentType,
  filename: string,
): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const start: Uint8Array[] = [];
  let length = 0;
  let done = false;
  while (!done && length < headBytes) {
    const chunk = await reader.read();
    done = chunk.done;
    if (chunk.value !== undefined) start.push(chunk.value);
    length += chunk.value?.length ?? 0;
  }
  try {
    checkBytes(type, Buffer.concat(start).subarray(0, headBytes), new Uint8Array(), filename);
  } catch (error) {
    await reader.cancel(error);
    throw error;
  }
  return new ReadableStream({
    async pull(controller) {
      const next = start.shift();
      if (next !== undefined) return controller.enqueue(next);
      const chunk = await reader.read();
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
