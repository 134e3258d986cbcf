import Type, { type Static } from "typebox";
import { PageQuery } from "../lists/lists.schema.ts";

const word = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
const instant = Type.Optional(Type.String({ format: "date-time" }));

/** Selects entries: `from` is inclusive, `to` is exclusive. */
export const AuditFilter = Type.Object({
  actor: word,
  action: word,
  subject_type: word,
  subject_id: word,
  from: instant,
  to: instant,
});
export type AuditFilter = Static<typeof AuditFilter>;

export const AuditQuery = Type.Object({ ...AuditFilter.properties, ...PageQuery.properties });
export type AuditQuery = Static<typeof AuditQuery>;

/** `ndjson` returns every entry unchanged; `csv` escapes text that a spreadsheet would read as a formula. */
export const AuditExportQuery = Type.Object({
  ...AuditFilter.properties,
  format: Type.Optional(Type.Enum(["ndjson", "csv"])),
});
export type AuditExportQuery = Static<typeof AuditExportQuery>;

export const AuditEntryBody = Type.Object(
  {
    id: Type.String(),
    at: Type.Unsafe<Date>(Type.String({ format: "date-time" })),
    actor: Type.String(),
    action: Type.String(),
    subject_type: Type.String(),
    subject_id: Type.String(),
    details: Type.Object({}, { additionalProperties: true }),
  },
  { title: "AuditEntry" },
);
export type AuditEntryBody = Static<typeof AuditEntryBody>;
