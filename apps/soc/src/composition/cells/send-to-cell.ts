import type { KnownCell } from "../../casework/cells/cell.ts";
import type { RulesAnswer } from "../../detection/rule-files/rules-client.ts";

/** One request to a cell, with the key of its entry in the list. Throws a Problem when the cell does not answer. */
export type SendToCell = (
  cell: KnownCell,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
) => Promise<RulesAnswer>;
