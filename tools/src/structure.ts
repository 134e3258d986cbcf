import { RULES_TO_COME } from "./architecture/rules-to-come.ts";
import { readTree } from "./architecture/tree.ts";

// Lists what the tree still owes to the rules to come: node tools/dist/structure.js [words of a rule's name]

const wanted = process.argv.slice(2).join(" ");
const tree = readTree(process.cwd());

for (const { name, check } of RULES_TO_COME.filter((rule) => rule.name.includes(wanted))) {
  const violations = check(tree);
  process.stdout.write(`${name}: ${violations.length}\n${violations.map((each) => `  ${each}\n`).join("")}\n`);
}
