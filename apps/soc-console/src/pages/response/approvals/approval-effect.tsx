import { ArrowUpRight } from "lucide-react";
import type { Ref } from "react";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
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

/** Hostnames exist in several sites: the id and the site say which record is meant. */
function Target({ id, name, site, address }: NonNullable<Effects[number]["target"]>) {
  const words = usePhrases(approvalsPhrases);
  const parts = [
    name,
    site === null ? words.noSite : fill(words.atSite, { site: isolated(safeText(site)) }),
    address,
    id,
  ];
  return (
    <p className="approvals-target soft">
      {words.target} <SafeText>{parts.filter((part) => part !== null).join(" · ")}</SafeText>
    </p>
  );
}

export interface ApprovalEffectProps {
  effect: Effects;
  title: string;
  /** The effect that was shown before it changed: greyed out and no longer requested. */
  isOld?: boolean;
  ref?: Ref<HTMLElement>;
}

/** The requested effect, verbatim. Nothing is folded, truncated or scrollable. */
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
        {effect.map(({ summary, sends, target }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an effect is a fixed list without ids
          <li key={at}>
            <p className="approvals-summary">
              <SafeText>{summary}</SafeText>
            </p>
            {target && <Target {...target} />}
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
