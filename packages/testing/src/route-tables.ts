/** A route as the API document states it: method, full path with {parameters}, and what it needs. */
export interface DocumentedRoute {
  method: string;
  path: string;
  needs: string;
}

/** Reads the route tables that stand below the given heading of level two. */
function readRouteTables(markdown: string, heading: string): DocumentedRoute[] {
  const rows = findSection(markdown, heading).matchAll(
    /^\| *(GET|POST|PUT|PATCH|DELETE) *\| *`([^`]+)` *\| *`([^`]+)` *\|/gm,
  );
  return [...rows].map(([, method = "", path = "", needs = ""]) => ({ method, path, needs }));
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
  documented: string[];
  /** The documented routes that are built, and the extensions. */
  served: string[];
  notYet: { count: number; routes: string[] };
}

export function readContract(document: string, notYetDocument: string, product: string): Contract {
  const documented = readRouteTables(document, "Documented routes");
  const notYet = readNotYet(notYetDocument, product);
  const built = documented.filter(({ method, path }) => !notYet.routes.includes(`${method} ${path}`));
  const extensions = readRouteTables(document, "Extensions");
  return { documented: documented.map(formatRouteLine), served: [...built, ...extensions].map(formatRouteLine).toSorted(), notYet };
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
