import { Icon, type IconName } from "../controls/icons.tsx";
import { Link, PageTitle } from "../controls/layout.tsx";
import { usePhrases } from "./app.ts";
import { shellPhrases } from "./shell-phrases.ts";

const PLACES = [
  { name: "radio", icon: "radio" },
  { name: "favorites", icon: "heart" },
  { name: "schedules", icon: "clock" },
  { name: "cards", icon: "card" },
  { name: "settings", icon: "settings" },
  { name: "simple", icon: "person" },
] as const satisfies readonly { name: string; icon: IconName }[];

export function MorePage() {
  const phrases = usePhrases(shellPhrases);
  return (
    <>
      <PageTitle>{phrases.more}</PageTitle>
      <ul class="tiles">
        {PLACES.map(({ name, icon }) => (
          <li key={name}>
            <Link to={`/${name}`} class="tile">
              <Icon name={icon} />
              <span>{phrases[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
