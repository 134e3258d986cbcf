import Type from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";
import { REPORT_FORMATS, REPORT_TYPES } from "./reports.schema.ts";

// Input and answer of the tool that the API document defines.

const closed = { additionalProperties: false } as const;

export const GenerateReportInput = Type.Object(
  {
    report_type: Type.Optional(
      Type.Enum([...REPORT_TYPES], { description: "default: investigation with a case_id, otherwise executive" }),
    ),
    case_id: Type.Optional(Id),
    format: Type.Enum([...REPORT_FORMATS], { default: "markdown" }),
  },
  closed,
);

export const GenerateReportOutput = Type.Object({
  report_id: Type.String(),
  status: Type.Literal("completed"),
  content: Type.String({ description: "text; a PDF in base64" }),
  /** True if nothing was stored and the answer is a preview. */
  dry_run: Type.Optional(Type.Boolean()),
});
