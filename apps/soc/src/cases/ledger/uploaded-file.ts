import { findBundle } from "./verify.ts";

/** The verifier's input: a verifiable file, or the reason why it is not verifiable and what to pass instead. */
export type UploadedFile = { state: "verifiable"; file: unknown; isReport: boolean } | { state: "other"; why: string };

const INSTEAD =
  "Pass the bundle of the case (GET /api/v1/ledger/bundle?case_id=…), an investigation report in the format json, or a proof of the mode";

/** Detects what a file contains. `isProof` recognises the other kind of file that the verifier accepts. */
export function readUploadedFile(text: string, isProof: (file: unknown) => boolean): UploadedFile {
  const file = parseJson(text);
  if (file === undefined) return { state: "other", why: describeText(text) };
  if (isProof(file)) return { state: "verifiable", file, isReport: false };
  const bundle = findBundle(file) ?? findBundle(parseJson(contentIn(file)));
  if (bundle === undefined) return { state: "other", why: `it is JSON without a bundle. ${INSTEAD}` };
  return { state: "verifiable", file: bundle, isReport: bundle !== file };
}

/** Extracts the content of a report's record, as the API returns it. */
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

/** Explains where a report in another format contains the bundle. */
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
