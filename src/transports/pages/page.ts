import { randomBytes } from 'node:crypto';

/** What a page adds to the common frame. `body` is HTML; everything from outside in it must have been escaped. */
export interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly body: string;
  readonly script: string;
}

/** Answers with a page under a policy that runs nothing but what carries this answer's nonce. */
export function html(status: number, render: (nonce: string) => string): Response {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ];
  return new Response(render(nonce), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      // The address of an upload page is a credential.
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const page = (nonce: string, { title, style, body, script }: PageParts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style nonce="${nonce}">${frameStyle}${style}</style>
</head>
<body>
<main>
${body}
</main>
<script nonce="${nonce}" type="module">${script}</script>
</body>
</html>
`;

/** A tree of sections: what a document becomes. */
export const mark = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M8 6v18M8 10h8M8 17h8M8 24h8" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/><rect x="18" y="7" width="8" height="6" rx="2" fill="currentColor"/><rect x="18" y="14" width="8" height="6" rx="2" fill="currentColor" opacity=".55"/><rect x="18" y="21" width="8" height="6" rx="2" fill="currentColor" opacity=".3"/></svg>`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M8 6v18M8 10h8M8 17h8M8 24h8" fill="none" stroke="#5b5bd6" stroke-width="3" stroke-linecap="round"/><path d="M20 10h6M20 17h6M20 24h6" stroke="#5b5bd6" stroke-width="5" stroke-linecap="round"/></svg>`;

const frameStyle = `
:root{--ground:#f7f7f5;--card:#fff;--ink:#1d1d24;--soft:#5f5f6e;--line:#e3e3df;--accent:#4b4bc4;--on:#fff;--code:#f1f1ee;--bad:#b3261e;--good:#1a7f4b}
@media(prefers-color-scheme:dark){:root{--ground:#131316;--card:#1c1c21;--ink:#ececf1;--soft:#a3a3b0;--line:#303038;--accent:#a5a5ff;--on:#14141c;--code:#25252c;--bad:#ff8f85;--good:#6fd6a1}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:44rem;margin:0 auto;padding:clamp(1.5rem,6vw,4rem) 1.1rem 3rem}
.mark{width:2.6rem;height:2.6rem;color:var(--accent);display:block;margin:0 0 .8rem -.55rem}
h1{font-size:clamp(1.45rem,5vw,1.95rem);line-height:1.2;letter-spacing:-.02em;margin:0 0 .5rem;text-wrap:balance;overflow-wrap:anywhere}
h2{font-size:1.02rem;margin:2.2rem 0 .7rem}
p{margin:0 0 .9rem}
.soft{color:var(--soft)}.soft strong{color:var(--ink)}
small,.small{font-size:.875rem}
a{color:var(--accent)}
code,pre{font:.84rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p code,li code{background:var(--code);padding:.1em .35em;border-radius:.3rem;overflow-wrap:anywhere}
.code{position:relative;background:var(--code);border:1px solid var(--line);border-radius:.65rem;margin:0 0 .8rem}
.code pre{margin:0;padding:.8rem 4.9rem .8rem .9rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.code pre.lines{white-space:pre;overflow-wrap:normal}
button{font:inherit;font-size:.84rem;font-weight:600;line-height:1;border:1px solid var(--line);background:var(--card);color:var(--ink);border-radius:.5rem;padding:.5rem .7rem;cursor:pointer}
button:hover{border-color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.code button{position:absolute;top:.45rem;right:.45rem}
[hidden]{display:none!important}
`;

/** Makes every `.code` block's button copy its text. */
export const copyScript = `
for(const block of document.querySelectorAll('.code')){
  const button=block.querySelector('button'),source=block.querySelector('pre');
  button.addEventListener('click',async()=>{
    try{await navigator.clipboard.writeText(source.textContent);button.textContent='Copied'}
    catch{getSelection().selectAllChildren(source);button.textContent='Selected'}
    setTimeout(()=>{button.textContent='Copy'},1600)
  })
}`;

/** Commands wrap; JSON and TOML keep their lines and scroll. */
export const codeBlock = (text: string, id = ''): string =>
  `<div class="code"><pre${id === '' ? '' : ` id="${id}"`}${/^[{[]/.test(text) ? ' class="lines"' : ''}>${escapeHtml(text)}</pre><button type="button">Copy</button></div>`;
