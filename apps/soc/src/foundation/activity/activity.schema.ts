import Type, { type Static } from "typebox";
import { PageQuery } from "../lists/lists.schema.ts";

const word = Type.String({ minLength: 1, maxLength: 200 });

export const ActivityQuery = Type.Object({ ...PageQuery.properties, subject_type: word, subject_id: word });
export type ActivityQuery = Static<typeof ActivityQuery>;
