/** A route as the API document states it: method, full path with {parameters}, and what it needs. */
export interface DocumentedRoute {
  method: string;
  path: string;
  needs: string;
}

type Origin = "contract" | "extension";

const ROW = /^\| *(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE) *\| *`([^`]+)` *\| *`([^`]+)` *\| *([^|]*?) *\|/gm;

function isOrigin(text: string): text is Origin {
  return text === "contract" || text === "extension";
}

/** Reads the route tables of the section "Routes": method, path, needs, origin. */
function readRouteTables(markdown: string): (DocumentedRoute & { origin: Origin })[] {
  return [...findSection(markdown, "Routes").matchAll(ROW)].map(
    ([, method = "", path = "", needs = "", origin = ""]) => {
      if (!isOrigin(origin)) throw new Error(`${method} ${path}: its origin must be contract or extension`);
      return { method, path, needs, origin };
    },
  );
}

/** Reads the list of documented routes that are not built yet, and the count that stands above it. */
function readNotYet(markdown: string, heading: string): { count: number; routes: string[] } {
  const section = findSection(markdown, heading);
  const count = Number(/^Count: (\d+)$/m.exec(section)?.[1]);
  return {
    count,
    routes: [...section.matchAll(/^- ((?:GET|POST|PUT|PATCH|DELETE) \S+)$/gm)].map(([, route = ""]) => route),
  };
}

/** What a product must serve now, one line a route: method, path, needs. */
export interface Contract {
  /** The routes whose origin is the contract. */
  documented: string[];
  /** Those of them that are built, and the extensions. */
  served: string[];
  notYet: { count: number; routes: string[] };
}

export function readContract(document: string, notYetDocument: string, product: string): Contract {
  const routes = readRouteTables(document);
  const documented = routes.filter(({ origin }) => origin === "contract");
  const notYet = readNotYet(notYetDocument, product);
  const built = documented.filter(({ method, path }) => !notYet.routes.includes(`${method} ${path}`));
  const extensions = routes.filter(({ origin }) => origin === "extension");
  return {
    documented: documented.map(formatRouteLine),
    served: [...built, ...extensions].map(formatRouteLine).toSorted(),
    notYet,
  };
}

/** A registered route in the same words. Fastify writes a path parameter as :id, the documents as {id}. */
export function formatRouteLine({ method, path, needs }: DocumentedRoute): string {
  return `${method} ${path.replaceAll(/:([A-Za-z_]+)/g, "{$1}")} ${needs}`;
}

function findSection(markdown: string, heading: string): string {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no section '${heading}'`);
  return section;
}
