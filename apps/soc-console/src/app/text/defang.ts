const SCHEMES: Readonly<Record<string, string>> = { http: "hxxp", https: "hxxps", ftp: "fxp" };
const ADDRESS = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:([^\s/?#@]*)@)?([^\s/?#]*)(.*)$/isu;

/** Defangs an address: `hxxps://cdn-update[.]example/a.js`, `203[.]0[.]113[.]44`, `a[@]b[.]example`. */
export function defang(value: string): string {
  const [, scheme, user, host = "", rest = ""] = ADDRESS.exec(value) ?? [undefined, undefined, undefined, value];
  const shownScheme = scheme === undefined ? "" : `${SCHEMES[scheme.toLowerCase()] ?? scheme}://`;
  const shownUser = user === undefined ? "" : `${user}[@]`;
  return `${shownScheme}${shownUser}${defangHost(host)}${rest}`;
}

function defangHost(host: string): string {
  const isIpv6 = /^\[?[\da-f]*:[\da-f:.]*:[\da-f:.]*\]?(?::\d+)?$/i.test(host);
  const dotted = host.replaceAll(/(?<!\[)\.(?!\])/g, "[.]");
  return isIpv6 ? dotted.replaceAll(":", "[:]") : dotted;
}

/** Reverts defanging: `hxxp`, `[.]`, `(.)`, `[dot]`, `[:]`, `[at]`. */
export function refang(value: string): string {
  return value
    .replaceAll(/\bhxxp(s?)(?=\[?:)/gi, "http$1")
    .replaceAll(/\bfxp(?=\[?:)/gi, "ftp")
    .replaceAll(/\[:\/\/\]/g, "://")
    .replaceAll(/[[({](?:\.|dot)[\])}]/gi, ".")
    .replaceAll(/[[({](?:@|at)[\])}]/gi, "@")
    .replaceAll(/\[:\]/g, ":");
}
