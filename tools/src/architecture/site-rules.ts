import { isTest, roleOf } from "./layout.ts";
import { type Finding, fileRule } from "./rule.ts";

/** The tables whose rows belong to sites. */
const OWNS_SITES = /interface Tables \{\s+(alerts|approvals|cases|devices|edr_actions|edr_endpoints|sites):/;
const STORE = /^export interface \w+Store \{\n(.*?)^\}/gms;
const READS = /^ {2}(list|find|filter|all|count|group|summarise|keep|lock)\w*\((?!scope: Scope\b)/;
/** What the comment before a method says that no caller may use. */
const FOR_PLATFORM = /platform itself/;

function findUnscoped(text: string): Finding[] {
  return [...text.matchAll(STORE)].flatMap(({ 1: body = "", index, 0: whole }) => {
    const firstLine = text.slice(0, index + whole.indexOf(body)).split("\n").length;
    const lines = body.split("\n");
    return lines.flatMap((line, at) => {
      if (!READS.test(line) || FOR_PLATFORM.test(lines[at - 1] ?? "")) return [];
      return [{ line: firstLine + at, message: `${line.trim().split("(")[0]} takes no scope` }];
    });
  });
}

export const storeScopes = fileRule(
  "stores of records with a site take the scope",
  "a query that forgets the sites of its caller shows the records of other sites; what the platform itself reads says so in its comment",
  ({ path, text }) =>
    path.startsWith("apps/soc/src/") && !isTest(path) && roleOf(path) === "store" && OWNS_SITES.test(text)
      ? findUnscoped(text)
      : [],
);
