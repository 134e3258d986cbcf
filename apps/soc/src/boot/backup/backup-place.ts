/** Whether the place of a backup is in a bucket; else it is a folder. */
export function isBucket(place: string): boolean {
  return /^https?:\/\//.test(place);
}
