import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./markdown-body.tsx";
import { SafeText } from "./safe-text-view.tsx";
import "./text.css";

const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

/** Untrusted Markdown: no HTML, no images, no external links. Shows plain text while the renderer loads. */
export function Markdown(props: MarkdownProps) {
  const plain = (
    <div className="text-plain">
      <SafeText>{props.text}</SafeText>
    </div>
  );
  return (
    <Suspense fallback={plain}>
      <MarkdownBody {...props} />
    </Suspense>
  );
}
