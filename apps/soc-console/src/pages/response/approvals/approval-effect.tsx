import { ArrowUpRight } from "lucide-react";
import type { Ref } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { Approval } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";

type Effects = Approval["effect"];

function Sending({ destination, method, url, body }: Effects[number]["sends"][number]) {
  const words = usePhrases(approvalsPhrases);
  return (
    <div className="approvals-sending">
      <p className="approvals-request" dir="ltr">
        <span className="approvals-leaves" title={words.leaves}>
          <ArrowUpRight size={14} role="img" aria-label={words.leaves} />
        </span>
        <SafeText isMono>{`${method} ${url}`}</SafeText>
        <span className="approvals-destination">
          <SafeText isMono>{destination}</SafeText>
        </span>
      </p>
      {body !== undefined && body !== null && (
        <pre className="approvals-body" dir="ltr">
          {safeText(typeof body === "string" ? body : JSON.stringify(body, null, 2))}
        </pre>
      )}
    </div>
  );
}

export interface ApprovalEffectProps {
  effect: Effects;
  title: string;
  /** What was shown before the effect changed: greyed, and no longer asked for. */
  isOld?: boolean;
  ref?: Ref<HTMLElement>;
}

/** What is asked for, word for word. Nothing of it is folded, cut or scrolled inside. */
export function ApprovalEffect({ effect, title, isOld = false, ref }: ApprovalEffectProps) {
  const words = usePhrases(approvalsPhrases);
  return (
    <section
      ref={ref}
      className={isOld ? "approvals-effect approvals-old" : "approvals-effect"}
      aria-label={title}
      aria-hidden={isOld || undefined}
    >
      <h3 className="approvals-heading">{title}</h3>
      <ol className="approvals-effects">
        {effect.map(({ summary, sends }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an effect is a fixed list without identities
          <li key={at}>
            <p className="approvals-summary">
              <SafeText>{summary}</SafeText>
            </p>
            {sends.map((sending, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Sending key={place} {...sending} />
            ))}
          </li>
        ))}
      </ol>
      {effect.length === 0 && <p>{words.noEffect}</p>}
      <span className="approvals-effect-end" />
    </section>
  );
}
