import { usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Facts, Panel } from "../../../../design/panel.tsx";
import type { Rule } from "../rules-client.ts";
import { editorPhrases } from "./editor-phrases.ts";

/** The origin of an imported rule, and the fields that can be edited here. */
export function SigmaPanel({ rule }: { rule: Rule }) {
  const words = usePhrases(editorPhrases);
  const { sigma, overlay } = rule;
  if (!sigma) return null;
  const source = [sigma.logsource.product, sigma.logsource.category, sigma.logsource.service]
    .filter(Boolean)
    .join(" · ");
  return (
    <Panel title={words.sigma}>
      <p className="soft">{words.sigmaText}</p>
      <Facts
        items={[
          { label: words.title, value: <SafeText>{sigma.title}</SafeText> },
          { label: words.author, value: <SafeText>{sigma.author}</SafeText> },
          { label: words.license, value: <SafeText>{sigma.license}</SafeText> },
          { label: words.logsource, value: <SafeText isMono>{source}</SafeText> },
          {
            label: words.overlay,
            value: overlay.length === 0 ? words.noOverlay : <SafeText isMono>{overlay.join(", ")}</SafeText>,
          },
        ]}
      />
    </Panel>
  );
}
