/** Lets the browser save what the service answers at this path. */
export function saveAddress(path: string, name: string): void {
  const link = document.createElement("a");
  link.href = `/api/v1${path}`;
  link.download = name;
  link.click();
}
