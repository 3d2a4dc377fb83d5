import type { Config } from '../../config.ts';
import { clientSetups, credentialPlaceholder } from './clients.ts';
import { codeBlock, copyScript, escapeHtml, mark, page } from './page.ts';

const credentialNote: Readonly<Record<Config['httpAuth'], string>> = {
  key: `Each person uses their own Vectorless API key: put it where <code>${credentialPlaceholder.key}</code> stands. It is used for your own calls and is not stored here.`,
  token: `You need the team’s token: put it where <code>${credentialPlaceholder.token}</code> stands.`,
  jwt: 'There is no key to copy: your client opens your organisation’s login the first time it connects.',
  none: 'No key is needed.',
};

/** For a person who opens the server's address in a browser: what this is, and how their client is told about it. */
export function welcomePage(nonce: string, base: string, config: Config): string {
  const setups = clientSetups(base, config.httpAuth).map(
    ({ client, where, text }, index) =>
      `<details name="client"${index === 0 ? ' open' : ''}><summary>${escapeHtml(client)}</summary><p class="soft small">${escapeHtml(where)}</p>${codeBlock(text)}</details>`,
  );
  return page(nonce, {
    title: 'Vectorless MCP server',
    style: `
.clients{border:1px solid var(--line);border-radius:.8rem;background:var(--card);overflow:hidden}
details+details{border-top:1px solid var(--line)}
summary{padding:.75rem 1rem;cursor:pointer;font-weight:600;list-style:none;display:flex;justify-content:space-between;align-items:center}
summary::-webkit-details-marker{display:none}
summary::after{content:"";width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 2px 2px 0;rotate:45deg;translate:0 -.15rem}
details[open] summary::after{rotate:225deg;translate:0 .1rem}
summary:focus-visible{outline-offset:-3px;border-radius:.8rem}
details>p{margin:0 1rem .5rem}
details>.code{margin:0 1rem 1rem}
.foot{margin-top:1.4rem}`,
    body: `${mark}
<h1>Your documents, as tools for your agent</h1>
<p class="soft">This address is a Vectorless MCP server. An AI client that is connected to it can take in documents, list them, ask questions of them and read the sections that answer, with page numbers to cite.</p>
<h2>Address</h2>
${codeBlock(`${base}/mcp`)}
<p class="small soft">${credentialNote[config.httpAuth]}</p>
<h2>Add it to your client</h2>
<div class="clients">${setups.join('')}</div>
<p class="small soft foot">A client that knows only the old HTTP+SSE transport connects to <code>${escapeHtml(base)}/sse</code>.</p>`,
    // Without a configured address the server only knows what it listens on; the browser knows how it got here.
    script: `${
      config.publicUrl === undefined
        ? `for(const node of document.querySelectorAll('pre,p code'))node.textContent=node.textContent.replaceAll(${JSON.stringify(base).replace(/</g, '\\u003c')},location.origin);`
        : ''
    }${copyScript}`,
  });
}
