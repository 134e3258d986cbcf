import { useMemo } from "react";
import { encodeQr } from "./qr.ts";

/** Four modules of white around it, as the standard asks for. */
const QUIET = 4;

/** Always dark on white: readers of QR codes want it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => encodeQr(text), [text]);
  const side = modules.length + 2 * QUIET;
  const path = modules
    .flatMap((line, row) => line.map((isDark, column) => (isDark ? `M${column + QUIET} ${row + QUIET}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      className="factors-qr"
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect className="factors-qr-ground" width={side} height={side} />
      <path className="factors-qr-modules" d={path} />
    </svg>
  );
}
