import type { TObject } from "typebox";

/** A tool that a model may call. */
export interface ModelTool {
  name: string;
  description: string;
  input: TObject;
}
