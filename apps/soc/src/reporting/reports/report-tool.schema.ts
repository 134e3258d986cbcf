import Type from "typebox";
import { Id } from "../../foundation/schema/fields.schema.ts";
import { REPORT_FORMATS, REPORT_TYPES } from "./reports.schema.ts";

// The input and the answer of the tool that the API document names.

const closed = { additionalProperties: false } as const;

export const GenerateReportInput = Type.Object(
  {
    report_type: Type.Optional(
      Type.Enum([...REPORT_TYPES], { description: "else investigation with a case_id, executive without" }),
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
  /** True when nothing was stored: the answer shows what would have happened. */
  dry_run: Type.Optional(Type.Boolean()),
});
