import { Problem } from "@kit/problem";
import { buildDocumentedRule, type DocumentImport, readSigmaDocuments } from "../imports/sigma-import.ts";
import { formatDocument, isRuleDocument } from "../rules/rule-document.ts";

/** A file of the folder. */
export interface RuleFile {
  name: string;
  text: string;
}

/** One rule of the folder or of the service, as a document. */
export interface Documented {
  /** The id of the rule; "" for a file that names none. */
  id: string;
  /** The id of the Sigma rule in it; "" for none. */
  sigmaId: string;
  title: string;
  text: string;
}

export type Checked =
  | { state: "read"; file: RuleFile; rule: Documented }
  | { state: "refused"; file: RuleFile; reasons: string[] };

const EPOCH = new Date(0);
/** A place holder for the id of a rule that has none yet. */
const NO_ID = "00000000-0000-0000-0000-000000000000";
const MAX_NAME_LENGTH = 60;

/** The checks of the import, without a service. A plain Sigma rule counts as a document without changes. */
export function checkFile(file: RuleFile): Checked {
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

/** As the service would export the rule, so that only what differs in meaning is a difference. */
function toDocumented(read: DocumentImport): Documented {
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

/** The document with the id that the service gave to the rule. */
export function withId(text: string, id: string): string {
  return text.replace(NO_ID, id);
}

/** A name for the file of a rule. It keeps its name when the rule gets another one: see the folder. */
export function nameFile({ id, title }: Pick<Documented, "id" | "title">): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^-|-$/g, "");
  return `${words === "" ? "rule" : words}-${id.slice(-12)}.yml`;
}
