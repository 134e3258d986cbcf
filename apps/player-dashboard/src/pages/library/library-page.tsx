import { useApp } from "../../app/app.ts";
import { parseReciter } from "./library-address.ts";
import { ReciterList } from "./reciter-list.tsx";
import { ReciterPage } from "./reciter-page.tsx";
import "./library.css";

export function LibraryPage() {
  const { navigation } = useApp();
  const reciter = parseReciter(navigation.path.value);
  return reciter === undefined ? <ReciterList /> : <ReciterPage key={reciter} reciter={reciter} />;
}
