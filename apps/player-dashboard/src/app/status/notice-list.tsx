import { IconButton } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { noticesPhrases } from "./notices-phrases.ts";

export function NoticeList() {
  const { notices } = useApp();
  const { dismiss } = usePhrases(noticesPhrases);
  return (
    <div class="notices" role="status">
      {notices.shown.value.map(({ id, kind, text }) => (
        <div key={id} class={`notice notice-${kind}`}>
          <p dir="auto">{text}</p>
          <IconButton icon="close" label={dismiss} onClick={() => notices.dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
