import { useMemo } from "react";
import { encode } from "uqr";

/** A quiet zone of four modules, as the standard requires. */
const QUIET = 4;

/** Always dark on white, as QR code readers expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { border: QUIET, ecc: "M" }), [text]);
  const path = data
    .flatMap((line, row) => line.map((isDark, column) => (isDark ? `M${column} ${row}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      className="factors-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className="factors-qr-ground" width={size} height={size} />
      <path className="factors-qr-modules" d={path} />
    </svg>
  );
}
