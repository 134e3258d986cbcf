import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./markdown-body.tsx";
import { SafeText } from "./safe-text-view.tsx";
import "./text.css";

const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

/** Markdown from outside: no HTML, no pictures, no link to another place. The plain text while its reader loads. */
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
