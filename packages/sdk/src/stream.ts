import { BodyTooLongError } from './read-body.ts';

/** One server-sent event. */
export interface ServerEvent {
  /** `message` where the server names none. */
  readonly event: string;
  readonly data: string;
}

const longestEvent = 16 * 1024 * 1024;

/**
 * Server-sent events as they complete, per https://html.spec.whatwg.org/multipage/server-sent-events.html: every kind of
 * line end, several `data` lines, comments. An event without its blank line at the end of the stream is dropped.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = '';
  let data: string[] = [];
  let size = 0;
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
      size = 0;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
    size += line.length;
    if (size > longestEvent) throw new BodyTooLongError('One event of the stream is too long.');
  }
}

async function* readLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let size = 0;
  let afterReturn = false;
  for await (const chunk of body) {
    let rest = decoder.decode(chunk, { stream: true });
    if (rest === '') continue;
    // A CRLF may be cut in two by the network.
    if (afterReturn && rest.startsWith('\n')) rest = rest.slice(1);
    afterReturn = rest.endsWith('\r');
    const lines = rest.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield parts.join('') + line;
      parts = [];
      size = 0;
    }
    parts.push(last);
    size += last.length;
    if (size > longestEvent) throw new BodyTooLongError('One line of the stream is too long.');
  }
}
