import type { ComponentChildren } from "preact";
import { PageTitle } from "../../design/layout.tsx";
import { usePhrases } from "../app.ts";
import { settingsPhrases } from "./settings-phrases.ts";
import "./subpage.css";

/** One subject of the settings, with the way back. */
export function Subpage({ title, children }: { title: string; children: ComponentChildren }) {
  const { back } = usePhrases(settingsPhrases);
  return (
    <>
      <PageTitle back={{ to: "/settings", label: back }}>{title}</PageTitle>
      {children}
    </>
  );
}
