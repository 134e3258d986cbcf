import { splitSafeText } from "./safe-text.ts";
import "./text.css";

export interface SafeTextProps {
  /** A text from outside: a log, a name, a comment. */
  children: string;
  /** Evidence, ids and hosts: the mono font, always left to right. Without it the text has its own direction. */
  isMono?: boolean | undefined;
  title?: string | undefined;
}

/** Shows a text from outside: isolated from the direction of its surroundings, with unseen signs written out. */
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
