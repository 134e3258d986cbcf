import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { Order } from "../../foundation/lists/order.ts";
import type { CaseFileBody } from "./case-files.schema.ts";

export type CaseFile = Static<typeof CaseFileBody>;

/** Ids increase with time. */
export const NEWEST_FIRST: Order<CaseFile> = {
  name: "files",
  direction: "desc",
  columns: [{ name: "id", kind: "id" }],
};

// Slashes leave the folder, control characters end a header, and the others display a different name.
const REFUSED = /[/\\\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

export function requireFileName(name: string): void {
  if (REFUSED.test(name) || LONE_SURROGATE.test(name)) {
    throw invalidField(
      "name",
      "must not contain slashes, control characters or characters that change the text direction",
    );
  }
  if (name.trim() === "" || /^\.{1,2}$/.test(name)) throw invalidField("name", "must be a file name");
}

/** Formats the header of RFC 6266 with the name encoded as in RFC 8187. Old clients get an ASCII name. */
export function formatDisposition(name: string): string {
  const ascii = name.replaceAll(/[^A-Za-z0-9._ -]/g, "_");
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
