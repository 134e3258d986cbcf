import { Problem } from "@kit/problem";
import { buildDocumentedRule, type DocumentImport, readSigmaDocuments } from "../imports/sigma-import.ts";
import { formatDocument, isRuleDocument } from "../rules/rule-document.ts";

/** A file of the folder. */
export interface RuleFile {
  name: string;
  text: string;
}

/** One rule of the folder or of the service, as a document. */
export interface RuleDocument {
  /** The id of the rule; "" if the file has none. */
  id: string;
  /** The id of the contained Sigma rule; "" if there is none. */
  sigmaId: string;
  title: string;
  text: string;
}

export type CheckResult =
  | { state: "read"; file: RuleFile; rule: RuleDocument }
  | { state: "refused"; file: RuleFile; reasons: string[] };

const EPOCH = new Date(0);
/** A placeholder for the id of a new rule. */
const NO_ID = "00000000-0000-0000-0000-000000000000";
const MAX_NAME_LENGTH = 60;

/** Runs the checks of the import without a service. A plain Sigma rule counts as a document without changes. */
export function checkFile(file: RuleFile): CheckResult {
  const documents = [...readSigmaDocuments(isRuleDocument(file.text) ? file.text : wrapSigma(file.text))];
  const [read] = documents;
  if (!read || documents.length > 1) return { state: "refused", file, reasons: ["yaml: must be one rule"] };
  if (read.state === "refused") return { state: "refused", file, reasons: read.reasons };
  if (read.state !== "document") return { state: "refused", file, reasons: ["yaml: must be one rule"] };
  try {
    return { state: "read", file, rule: toDocumented(read) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { state: "refused", file, reasons: [error.message] };
  }
}

/** Converts to the service's export format, so that only differences in meaning count. */
function toDocumented(read: DocumentImport): RuleDocument {
  const { id = "" } = read.given;
  const built = buildDocumentedRule(read, undefined, {
    id: id === "" ? NO_ID : id,
    by: "",
    now: EPOCH,
    enabled: read.given.enabled ?? true,
  });
  return { id, sigmaId: read.sigma?.rule.id ?? "", title: built.name, text: formatDocument(built) };
}

function wrapSigma(yaml: string): string {
  const indented = yaml.trim().replaceAll(/^(?=.)/gm, "  ");
  return `manara_rule: 1\nsigma: |\n${indented}\n`;
}

/** Inserts the id that the service assigned to the rule. */
export function withId(text: string, id: string): string {
  return text.replace(NO_ID, id);
}

/** Derives a file name from the rule. The file keeps its name if the rule is renamed; see the folder. */
export function nameFile({ id, title }: Pick<RuleDocument, "id" | "title">): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-|-$/g, "");
  return `${words === "" ? "rule" : words}-${id.slice(-12)}.yml`;
}
