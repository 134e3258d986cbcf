/** Whether the destination of a backup is in a bucket; otherwise it is a folder. */
export function isBucket(place: string): boolean {
  return /^https?:\/\//.test(place);
}
