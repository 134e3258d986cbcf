/** Copies a text. Throws if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Over plain HTTP there is no clipboard object; use the copy command instead.
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyByCommand(text);
}

function copyByCommand(text: string): void {
  const carry = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", carry, { once: true, capture: true });
  // oxlint-disable-next-line typescript/no-deprecated -- the only way without a secure context
  const isCopied = document.execCommand("copy");
  document.removeEventListener("copy", carry, { capture: true });
  if (!isCopied) throw new Error("the browser refused to copy");
}
