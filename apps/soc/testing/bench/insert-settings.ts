/** The log store's insert settings, so that the bare engine does the same work. */
export const INSERT_SETTINGS = {
  async_insert: 0,
  min_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  input_format_json_read_bools_as_numbers: 0,
  date_time_input_format: "best_effort",
  type_json_skip_duplicated_paths: 1,
} as const;
