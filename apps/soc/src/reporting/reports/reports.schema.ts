import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, Instant } from "../../foundation/schema/fields.schema.ts";

export const REPORT_TYPES = ["investigation", "executive", "compliance"] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
export const REPORT_FORMATS = ["markdown", "html", "pdf", "json"] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
const REPORT_STATUSES = ["completed"] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

const Kind = Type.Enum([...REPORT_TYPES], { title: "ReportType" });
const Format = Type.Enum([...REPORT_FORMATS], { title: "ReportFormat" });

export const ReportPath = Type.Object({ id: Type.String() });

export const ListReportsQuery = Type.Object({
  ...PageQuery.properties,
  report_type: Type.Optional(Kind),
  case_id: Type.Optional(Id),
  format: Type.Optional(Format),
});
export type ListReportsQuery = Static<typeof ListReportsQuery>;

/** `from` and `to` limit an executive or compliance report; the default is the last 30 days. */
export const CreateReportRequest = Type.Object(
  {
    report_type: Kind,
    case_id: Type.Optional(Id),
    format: Type.Optional(Format),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
  },
  { title: "CreateReportRequest", additionalProperties: false },
);
export type CreateReportRequest = Static<typeof CreateReportRequest>;

/** A report in a list, without its content. */
export const ReportSummaryBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    report_type: Kind,
    case_id: Type.Union([Type.String(), Type.Null()]),
    format: Format,
    status: Type.Enum([...REPORT_STATUSES]),
    created_by: Type.String(),
    created_at: Type.Unsafe<Date>(Type.String({ format: "date-time" })),
  },
  { title: "ReportSummary" },
);

export const ReportBody = Type.Object(
  {
    ...ReportSummaryBody.properties,
    content_type: Type.String(),
    content: Type.String({ description: "text; a PDF in base64" }),
  },
  { title: "Report" },
);
