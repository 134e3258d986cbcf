/** A record as JSON brings it: the schemas of the service say Date where text arrives. */
export type Wire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value;

/** A list of the API. */
export interface Listed<Item> {
  items: Item[];
  total: number;
  total_is_estimate?: boolean;
  next_cursor?: string | null;
}
