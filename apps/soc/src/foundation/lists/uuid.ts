const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id of ours at all. The database would answer an error to any other. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
