/** XML as a stream of events with local names. Entities that the document defines are not expanded. */
import { SaxesParser } from 'saxes';
import { ParseError } from '../../document.ts';
import type { ParseLimits } from '../limits.ts';

export interface XmlHandlers {
  /** `attributes` by local name; where two share one, `r:id` style prefixes keep theirs under the full name too. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Throws `too_large` for nesting past the limit and `invalid` for what is no XML. */
export function readXml(source: string, limits: ParseLimits, handlers: XmlHandlers): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let started = false;
  parser.on('error', (error) => {
    // An undefined entity stays as it is written; anything else ends the reading where it stands.
    if (!/entity/i.test(error.message)) throw new ParseError('invalid', damagedXml, { cause: error });
  });
  parser.on('opentag', (tag) => {
    started = true;
    if (++depth > limits.xmlDepth)
      throw new ParseError(
        'too_large',
        'This document is nested too deeply to be read. Export it as PDF and ingest that.',
      );
    handlers.open?.(localName(tag.name), localAttributes(tag.attributes));
  });
  parser.on('closetag', (tag) => {
    depth--;
    handlers.close?.(localName(tag.name));
  });
  if (handlers.text) {
    const onText = handlers.text;
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  parser.write(source).close();
  if (!started) throw new ParseError('invalid', damagedXml);
}

const damagedXml =
  'This document is damaged: a part of it is not well-formed XML. Open it, save it again, and ingest the result.';

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    out[localName(name)] ??= value;
    out[name] = value;
  }
  return out;
}
