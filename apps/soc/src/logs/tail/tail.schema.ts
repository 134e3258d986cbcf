import Type from "typebox";
import { FilterText, LogSeverityWord, QueryText } from "../search/logs.schema.ts";

export const TailQuery = Type.Object({
  query: Type.Optional(QueryText),
  source: Type.Optional(FilterText),
  host: Type.Optional(FilterText),
  severity: Type.Optional(LogSeverityWord),
});
