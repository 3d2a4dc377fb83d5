// A small PDF writer: text at places, standard fonts, an outline. Enough for the sample and for the tests.

const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique', mono: 'Courier' };

/** Advance widths of the characters 32 to 126, in thousandths of the size (Adobe font metrics). */
const WIDTHS = {
  regular: widths(
    '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
  ),
  bold: widths(
    '278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
  ),
};

function widths(list) {
  return list.split(' ').map(Number);
}

/** Characters of WinAnsi beyond Latin-1 that texts use. */
const WIN_ANSI = { '€': 128, '‘': 145, '’': 146, '“': 147, '”': 148, '•': 149, '–': 150, '—': 151 };

export function textWidth(text, font, size) {
  if (font === 'mono') return text.length * 0.6 * size;
  const table = WIDTHS[font === 'bold' ? 'bold' : 'regular'];
  let sum = 0;
  for (const char of text) sum += table[char.charCodeAt(0) - 32] ?? 556;
  return (sum * size) / 1000;
}

/** Writes pages of `{ text, x, y, size, font, angle }` items; y counts from the bottom, in points. */
export function writePdf({ pages, outline = [], title = '', width = 595, height = 842 }) {
  const objects = [];
  const add = (body) => objects.push(body);
  const fontNames = Object.keys(FONTS);
  const pageId = (i) => 3 + fontNames.length + i * 2;
  add(''); // the catalog, filled in below
  add(
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${pageId(i)} 0 R`).join(' ')}] >>`,
  );
  for (const name of fontNames) {
    add(`<< /Type /Font /Subtype /Type1 /BaseFont /${FONTS[name]} /Encoding /WinAnsiEncoding >>`);
  }
  const fonts = fontNames.map((name, i) => `/${name} ${3 + i} 0 R`).join(' ');
  pages.forEach((items, i) => {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${pageId(i) + 1} 0 R /Resources << /Font << ${fonts} >> >> >>`,
    );
    const content = items.map(showText).join('\n');
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  });
  add(`<< /Title ${literal(title)} >>`);
  const info = objects.length;
  const outlines = addOutline(add, objects.length + 1, outline, pageId);
  objects[0] = `<< /Type /Catalog /Pages 2 0 R${outlines ? ` /Outlines ${outlines} 0 R` : ''} >>`;
  return serialize(objects, info);
}

function showText({ text, x, y, size = 10, font = 'regular', angle = 0 }) {
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)].map((value) => +value.toFixed(4));
  return `BT /${font} ${size} Tf ${cos} ${sin} ${-sin} ${cos} ${x.toFixed(2)} ${y.toFixed(2)} Tm ${literal(text)} Tj ET`;
}

/** The outline's entries as `{ title, page, level }`; returns the object id of its root. */
function addOutline(add, root, entries, pageId) {
  if (entries.length === 0) return 0;
  const id = (i) => root + 1 + i;
  const parentOf = (i) => entries.findLastIndex((entry, k) => k < i && entry.level < entries[i].level);
  const children = (p) => entries.map((_, i) => i).filter((i) => parentOf(i) === p);
  const links = (p) => {
    const below = children(p);
    if (below.length === 0) return '';
    return `/First ${id(below[0])} 0 R /Last ${id(below.at(-1))} 0 R /Count ${below.length}`;
  };
  add(`<< /Type /Outlines ${links(-1)} >>`);
  entries.forEach((entry, i) => {
    const siblings = children(parentOf(i));
    const at = siblings.indexOf(i);
    const previous = at > 0 ? `/Prev ${id(siblings[at - 1])} 0 R` : '';
    const next = at + 1 < siblings.length ? `/Next ${id(siblings[at + 1])} 0 R` : '';
    const parent = parentOf(i) < 0 ? root : id(parentOf(i));
    add(
      `<< /Title ${literal(entry.title)} /Parent ${parent} 0 R ${previous} ${next} ${links(i)} /Dest [${pageId(entry.page - 1)} 0 R /Fit] >>`,
    );
  });
  return root;
}

function literal(text) {
  const bytes = [...text].map((char) => String.fromCharCode(WIN_ANSI[char] ?? char.charCodeAt(0) & 0xff));
  return `(${bytes.join('').replace(/[\\()]/g, '\\$&')})`;
}

function serialize(objects, info) {
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((body, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${info} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
