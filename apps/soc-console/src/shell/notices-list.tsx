import { X } from "lucide-react";
import { usePhrases } from "../app/language/language-context.tsx";
import { useNotices } from "../app/notices/notices.tsx";
import { Button, IconButton } from "../design/button.tsx";
import { shellPhrases } from "./shell-phrases.ts";

export function NoticesList() {
  const words = usePhrases(shellPhrases);
  const { shown, close } = useNotices();
  return (
    <div className="notices" role="status">
      {shown.map(({ id, text, tone, action }) => (
        <div key={id} className={`notices-one notices-${tone}`}>
          <p className="notices-text">{text}</p>
          {action && (
            <Button
              size="s"
              onClick={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label={words.close} icon={<X size={14} />} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
