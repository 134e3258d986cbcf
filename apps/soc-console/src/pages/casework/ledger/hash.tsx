/** A hash, key or signature in full. */
export function Hash({ children }: { children: string }) {
  return (
    <bdi dir="ltr" className="ledger-hash">
      {children}
    </bdi>
  );
}
