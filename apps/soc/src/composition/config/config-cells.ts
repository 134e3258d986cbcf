import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";

/** The variables of a platform that is one cell of several. */
export const CELL_VARIABLES = {
  SOC_CELL: Type.Optional(Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,62}$" })),
  SOC_CELLS_FILE: Type.Optional(Type.String({ minLength: 1 })),
};
const Variables = Type.Object(CELL_VARIABLES);

export interface CellVariables {
  self: string;
  file: string;
}

/** Undefined for a platform that is no cell. */
export function readCells(read: Static<typeof Variables>): CellVariables | undefined {
  const { SOC_CELL: self, SOC_CELLS_FILE: file } = read;
  if (self === undefined && file === undefined) return undefined;
  if (self === undefined) throw invalidField("SOC_CELL", "required when SOC_CELLS_FILE is set");
  if (file === undefined) throw invalidField("SOC_CELLS_FILE", "required when SOC_CELL is set");
  return { self, file };
}
