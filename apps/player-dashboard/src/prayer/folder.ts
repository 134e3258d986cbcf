/** The folder that a path on the card lies in; empty for the card's top. */
export function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
