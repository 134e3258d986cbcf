/** The folder that holds this file or folder; empty is the card's top. */
export function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
