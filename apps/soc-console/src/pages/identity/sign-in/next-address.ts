const SIGN_IN = "/sign-in";

/** A path of this site that no browser could read as another site. */
function isLocalPath(path: string): boolean {
  const base = "https://soc.invalid";
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || !URL.canParse(path, base)) return false;
  return new URL(path, base).origin === base;
}

/** Where a sign-in redirects: the opened page, or the one that `/sign-in?next=` names. */
export function nextAddress({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  if (pathname !== SIGN_IN) return `${pathname}${search}`;
  const next = new URLSearchParams(search).get("next") ?? "/";
  return isLocalPath(next) && !next.startsWith(SIGN_IN) ? next : "/";
}
