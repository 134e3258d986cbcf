/** Downloads the response of this path. */
export function saveAddress(path: string, name: string): void {
  const link = document.createElement("a");
  link.href = `/api/v1${path}`;
  link.download = name;
  link.click();
}
