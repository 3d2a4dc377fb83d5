import type { UploadTicket } from '../upload-links.ts';
import { codeBlock, copyScript, escapeHtml, mark, page } from './page.ts';

/** Takes one file by drag and drop. `problem`: why the link cannot be used; then there is nothing to do but read. */
export function uploadPage(
  nonce: string,
  problem: string | undefined,
  ticket: UploadTicket | undefined,
): string {
  if (problem !== undefined || ticket === undefined) {
    const body = `${mark}<h1>Nothing to upload here</h1><p class="soft">${escapeHtml(problem ?? '')}</p>`;
    return page(nonce, { title: 'Upload', style: '', body, script: '' });
  }
  const name = escapeHtml(ticket.filename);
  const minutes = Math.max(1, Math.round((ticket.expiresAt - Date.now()) / 60_000));
  return page(nonce, {
    title: `Upload ${ticket.filename}`,
    style,
    body: `${mark}
<h1>Upload ${name}</h1>
<p class="soft">Your agent asked for this file. It is stored as <strong>${name}</strong>, whatever it is called on your computer.</p>
<label id="drop" for="file">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 16V4m0 0L7 9m5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>
<strong>Drop the file here</strong><span class="soft">or choose it from your computer</span>
<input id="file" type="file">
</label>
<div id="work" hidden><progress id="bar" max="1" value="0" aria-label="Upload progress"></progress><button type="button" id="stop">Cancel</button></div>
<p id="status" role="status" aria-live="polite" class="small soft">Up to ${formatBytes(ticket.maxBytes)}. The link is good for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}, and for one file.</p>
<section id="done" hidden><h2>Document id</h2>${codeBlock('', 'document')}<p class="soft">Go back to your agent and tell it that the file is there. You can close this page.</p></section>
<details id="terminal"><summary class="small soft">From a terminal</summary>${codeBlock('', 'curl')}</details>`,
    script: `${copyScript}
const limit=${ticket.maxBytes},name=${JSON.stringify(ticket.filename).replace(/</g, '\\u003c')};
${script}`,
  });
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [size, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${Number(size.toFixed(1))} ${unit}`;
}

const style = `
#drop{display:grid;justify-items:center;gap:.15rem;text-align:center;padding:clamp(2rem,9vw,3.4rem) 1rem;border:2px dashed var(--line);border-radius:1rem;background:var(--card);cursor:pointer;transition:border-color .15s,background .15s}
#drop svg{width:2.2rem;height:2.2rem;color:var(--accent);margin-bottom:.5rem}
#drop:hover,#drop.over,#drop:focus-within{border-color:var(--accent)}
#drop.over{background:var(--code)}
#file{position:absolute;width:1px;height:1px;opacity:0}
#work{display:flex;gap:.8rem;align-items:center;padding:1.1rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
progress{appearance:none;flex:1;height:.6rem;border:0;border-radius:1rem;overflow:hidden;background:var(--code)}
progress::-webkit-progress-bar{background:var(--code)}
progress::-webkit-progress-value{background:var(--accent);border-radius:1rem;transition:inline-size .2s}
progress::-moz-progress-bar{background:var(--accent)}
#status{margin-top:.9rem}
#status.bad{color:var(--bad)}
#status.good{color:var(--good);font-weight:600}
#done h2{margin-top:1.2rem}
details{margin-top:1.6rem}
summary{cursor:pointer;margin-bottom:.6rem}`;

const script = `
const get=id=>document.getElementById(id);
const drop=get('drop'),file=get('file'),work=get('work'),bar=get('bar'),status=get('status');
const size=n=>n<1048576?Math.ceil(n/1024)+' KB':(n/1048576).toFixed(1)+' MB';
get('curl').textContent="curl -T '"+name.replaceAll("'","'\\\\''")+"' '"+location.href+"'";
function say(text,kind){status.textContent=text;status.className='small '+(kind||'soft')}
function idle(on){drop.hidden=!on;work.hidden=on;file.value=''}
function send(picked){
  if(picked.size===0)return say('This file is empty.','bad');
  if(picked.size>limit)return say('This file has '+size(picked.size)+'; the link takes up to '+size(limit)+'.','bad');
  const request=new XMLHttpRequest();
  request.open('PUT',location.pathname);
  request.upload.onprogress=({loaded,total})=>{
    bar.value=loaded/total;
    say(loaded<total?size(loaded)+' of '+size(total):'Received; storing it…');
  };
  request.onload=()=>{
    let answer={};
    try{answer=JSON.parse(request.responseText)}catch{}
    if(request.status===201)return finish(answer);
    const final=request.status===410||request.status===403;
    idle(!final);
    if(final)drop.hidden=work.hidden=true;
    say(answer.message||'The upload failed ('+request.status+').','bad');
  };
  request.onerror=()=>{idle(true);say('The connection was lost. Try again.','bad')};
  request.onabort=()=>{idle(true);say('Cancelled.')};
  get('stop').onclick=()=>request.abort();
  bar.value=0;idle(false);say('Starting…');
  request.send(picked);
}
function finish({document_id,byte_size}){
  work.hidden=true;get('terminal').hidden=true;get('done').hidden=false;
  get('document').textContent=document_id;
  say('Uploaded '+name+' ('+size(byte_size)+').','good');
}
file.onchange=()=>file.files[0]&&send(file.files[0]);
for(const type of ['dragenter','dragover'])addEventListener(type,event=>{event.preventDefault();drop.classList.add('over')});
for(const type of ['dragleave','drop'])addEventListener(type,event=>{event.preventDefault();drop.classList.remove('over')});
addEventListener('drop',({dataTransfer})=>{
  if(drop.hidden)return;
  const files=dataTransfer.files;
  if(files.length>1)say('One file at a time, please.','bad');
  else if(files[0])send(files[0]);
});`;
