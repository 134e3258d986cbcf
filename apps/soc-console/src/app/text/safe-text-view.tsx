import { splitSafeText } from "./safe-text.ts";
import "./text.css";

export interface SafeTextProps {
  /** Untrusted text: a log, a name, a comment. */
  children: string;
  /** Evidence, ids and hosts: monospace, always left to right. Otherwise the text keeps its own direction. */
  isMono?: boolean | undefined;
  title?: string | undefined;
}

/** Shows untrusted text: isolated from the surrounding direction, with invisible characters escaped. */
export function SafeText({ children, isMono = false, title }: SafeTextProps) {
  const parts = splitSafeText(children);
  return (
    <bdi className={isMono ? "text-safe text-mono" : "text-safe"} dir={isMono ? "ltr" : "auto"} title={title}>
      {parts.map(({ text, isSign }, at) =>
        isSign ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity and no state
          <span key={at} className="text-sign">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
