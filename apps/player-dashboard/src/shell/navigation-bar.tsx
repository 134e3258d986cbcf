import { useApp, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { Icon, type IconName } from "../design/icons.tsx";
import { Link } from "../design/layout.tsx";
import { shellPhrases } from "./shell-phrases.ts";

type Tab = "now" | "library" | "hifz" | "prayer" | "more";

const TABS: readonly { name: Tab; to: string; icon: IconName; below: readonly string[] }[] = [
  { name: "now", to: "/", icon: "play", below: [] },
  { name: "library", to: "/library", icon: "book", below: [] },
  { name: "hifz", to: "/hifz", icon: "repeat", below: [] },
  { name: "prayer", to: "/prayer", icon: "prayer", below: [] },
  { name: "more", to: "/more", icon: "more", below: ["/radio", "/favorites", "/schedules", "/cards", "/settings"] },
];

function isBelow(path: string, parent: string): boolean {
  return path === parent || (parent !== "/" && path.startsWith(`${parent}/`));
}

export function NavigationBar() {
  const { navigation } = useApp();
  const { navigation: label } = usePhrases(shellPhrases);
  const phrases = usePhrases(commonPhrases);
  const path = navigation.path.value;
  return (
    <nav class="tabs" aria-label={label}>
      {TABS.map(({ name, to, icon, below }) => (
        <Link key={name} to={to} class="tab" isCurrent={[to, ...below].some((parent) => isBelow(path, parent))}>
          <Icon name={icon} />
          <span>{phrases[name]}</span>
        </Link>
      ))}
    </nav>
  );
}
