import { findBundle } from "./verify.ts";

/** What the verifier was given: something to verify, or something else and what to give in its place. */
export type GivenFile = { state: "verifiable"; file: unknown; isReport: boolean } | { state: "other"; why: string };

const INSTEAD =
  "Give the bundle of the case (GET /api/v1/ledger/bundle?case_id=…), an investigation report in the format json, or a proof of the mode";

/** Finds what a file holds. `isProof` recognises the other kind of file that the verifier accepts. */
export function readGivenFile(text: string, isProof: (file: unknown) => boolean): GivenFile {
  const file = parseJson(text);
  if (file === undefined) return { state: "other", why: describeText(text) };
  if (isProof(file)) return { state: "verifiable", file, isReport: false };
  const bundle = findBundle(file) ?? findBundle(parseJson(contentIn(file)));
  if (bundle === undefined) return { state: "other", why: `it is JSON without a bundle. ${INSTEAD}` };
  return { state: "verifiable", file: bundle, isReport: bundle !== file };
}

/** The content of a report's record, as the API answers it. */
function contentIn(file: unknown): string {
  const hasContent = typeof file === "object" && file !== null && "content" in file;
  return hasContent && typeof file.content === "string" ? file.content : "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A report in another format also carries the bundle: says where. */
function describeText(text: string): string {
  const start = text.trimStart().slice(0, 100).toLowerCase();
  if (start.startsWith("%pdf-"))
    return "it is a PDF. Give the file that is attached to it, or the report in the format json";
  if (start.startsWith("<")) {
    return "it is HTML. Save the text of its element ledger-bundle as a file and give that, or the report in the format json";
  }
  if (start.startsWith("# ")) {
    return "it is Markdown. Save the text of its last block as a file and give that, or the report in the format json";
  }
  return `it is not JSON. ${INSTEAD}`;
}
