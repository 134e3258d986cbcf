import Type, { type TSchema } from "typebox";

const MAX_VALUES = 50;

/** A filter with several values: the parameter is repeated, or its values are separated by commas. */
export function MultiValueOf<Item extends TSchema>(item: Item) {
  return Type.Array(item, { minItems: 1, maxItems: MAX_VALUES });
}
