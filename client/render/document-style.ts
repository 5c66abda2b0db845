/** The style of exported HTML files: the preview's calm column, in light, in dark and on paper. */

/** The style sheet. */
export const documentStyle = `
:root { color-scheme: light dark; --text: light-dark(#24292f, #d6d9de); --page: light-dark(#ffffff, #1c1f24);
  --muted: light-dark(#57606a, #9aa4b0); --line: light-dark(#d8dee4, #3a4048); --bubble: light-dark(#e8f0fb, #26344a);
  --code: light-dark(#f5f7f9, #24282e); --accent: light-dark(#0a58c2, #7ab3ff); --warning: light-dark(#9a6700, #d8a94a); }
* { box-sizing: border-box; }
body { margin: 0; padding: 0 24px; background: var(--page); color: var(--text);
  font: 15px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 800px; margin: 0 auto; padding: 32px 0 64px; }
h1 { margin: 0 0 28px; font-size: 1.1em; color: var(--muted); font-weight: 500; }
article { margin-top: 26px; overflow-y: clip; }
article > header { margin-bottom: 4px; font-weight: 600; }
.note { color: var(--muted); font-size: .85em; }
.remark { padding: 0 8px; border: 1px solid var(--line); border-radius: 9px; color: var(--muted);
  font-size: .78em; font-weight: 400; }
.user { display: flex; flex-direction: column; align-items: flex-end; padding-left: 12%; }
.user > .content { max-width: 100%; padding: 10px 16px; border-radius: 16px 4px 16px 16px; background: var(--bubble); }
.preamble > .content { padding-left: 14px; border-left: 2px solid var(--line); color: var(--muted); }
.content { overflow: auto hidden; } .content > :first-child { margin-top: 0; } .content > :last-child { margin-bottom: 0; }
.content h1, .content h2, .content h3, .content h4 { margin: 1.4em 0 .5em; color: inherit; font-size: 1.15em; font-weight: 600; }
a { color: var(--accent); }
blockquote { margin: 0 0 .8em; padding-left: 14px; border-left: 3px solid var(--line); color: var(--muted); }
hr { height: 1px; border: 0; background: var(--line); }
code, pre { font: .9em/1.5 ui-monospace, Consolas, monospace; }
:not(pre) > code { padding: .12em .38em; border-radius: 4px; background: var(--code); }
pre { margin: 0 0 1em; padding: 12px 14px; overflow: auto; border: 1px solid var(--line); border-radius: 10px;
  background: var(--code); overflow-wrap: normal; tab-size: 4; }
pre code { font-size: 1em; }
.literal { border: 1px dashed var(--muted) !important; background: none !important; white-space: pre-wrap; overflow-wrap: anywhere; }
code.block { display: block; }
table { border-collapse: collapse; margin: 0 0 1em; } th, td { padding: 6px 14px; border: 1px solid var(--line); text-align: start; }
.align-center { text-align: center; } .align-right { text-align: right; }
math { font-size: 1.08em; } .math { display: inline-flex; max-width: 100%; margin-block: -.5em; padding-block: .5em; overflow: auto hidden; }
.math.block { display: block; margin: .9em 0; padding-block: 0; text-align: center; }
mtd.align-left { text-align: left; } mtd.align-right { text-align: right; }
mtd.align-right + mtd.align-left { padding-left: 0; } mtd.align-right:has(+ .align-left) { padding-right: 0; }
.text-bold, .text-bold-italic { font-weight: 700; } .text-italic, .text-bold-italic { font-style: italic; }
.enclose-box { padding: .25em; border: 1px solid; } .enclose-horizontalstrike { text-decoration: line-through; }
.enclose-updiagonalstrike { background: linear-gradient(to top left, transparent 48%, currentColor 48% 52%, transparent 52%); }
.enclose-downdiagonalstrike { background: linear-gradient(to top right, transparent 48%, currentColor 48% 52%, transparent 52%); }
img { max-width: 100%; border-radius: 10px; }
.debug { padding: 7px 14px; border: 2px solid var(--warning); border-radius: 10px; }
.hidden { padding: 8px 14px 10px; border: 1px dashed var(--muted); border-radius: 10px; color: var(--muted); }
.hidden pre { margin: 6px 0 0; padding: 0; border: 0; background: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.hljs-comment, .hljs-quote { color: var(--muted); font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-built_in { color: light-dark(#a0307c, #d79bd0); }
.hljs-string, .hljs-regexp, .hljs-addition { color: light-dark(#0a6b3d, #93c98f); }
.hljs-number, .hljs-symbol, .hljs-deletion { color: light-dark(#a04a00, #e0a370); }
.hljs-title, .hljs-attr, .hljs-property, .hljs-type { color: light-dark(#0a4fa3, #8fbcf0); }
@media (max-width: 520px) { body { padding: 0 16px; } .user { padding-left: 6%; } }
@media print { body { padding: 0; font-size: 11pt; } article { break-inside: avoid-page; } }
`
