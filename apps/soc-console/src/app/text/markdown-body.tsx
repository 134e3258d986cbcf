import type { ComponentProps, MouseEvent, ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeText } from "./safe-text.ts";

export interface MarkdownProps {
  text: string;
  /** Follows a link to a page of the console, a path that begins with one slash. Without it such a link is text. */
  onNavigate?: ((path: string) => void) | undefined;
}

type MarkdownNode = { type: string; value?: unknown; children?: MarkdownNode[] };

/** Writes out the unseen signs of every text before it becomes elements. */
function showSigns() {
  return (tree: MarkdownNode): void => visit(tree);
}

function visit(node: MarkdownNode): void {
  if (typeof node.value === "string") node.value = safeText(node.value);
  for (const child of node.children ?? []) visit(child);
}

const isOwnPath = (href: string) => /^\/(?![/\\])/.test(href);

/** No link leads out of the console: the address stands beside its words, to be read and copied. */
function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  const address = safeText(href).replace(/^mailto:/, "");
  return (
    <span className="text-link">
      {children}
      {children !== address && address !== "" && (
        <bdi className="text-address" dir="ltr">
          {address}
        </bdi>
      )}
    </span>
  );
}

function buildComponents(onNavigate: MarkdownProps["onNavigate"]): Components {
  return {
    a({ href = "", children }: ComponentProps<"a">) {
      if (!onNavigate || !isOwnPath(href)) return <OutsideLink href={href}>{children}</OutsideLink>;
      const follow = (event: MouseEvent) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onNavigate(href);
      };
      return (
        <a href={href} onClick={follow}>
          {children}
        </a>
      );
    },
    // A picture would be asked for from another host. Its words stay.
    img: ({ src, alt = "" }: ComponentProps<"img">) => (
      <OutsideLink href={typeof src === "string" ? src : ""}>{alt}</OutsideLink>
    ),
    // The box of a task: a sign to read, not a control.
    input: ({ checked }: ComponentProps<"input">) => (checked ? "☑" : "☐"),
    // A table of a report may have no words in its head: an empty cell is not a heading.
    th: ({ children }: ComponentProps<"th">) => (children ? <th scope="col">{children}</th> : <td />),
    table: ({ children }: ComponentProps<"table">) => (
      <div className="text-table">
        <table>{children}</table>
      </div>
    ),
  };
}

export function MarkdownBody({ text, onNavigate }: MarkdownProps) {
  return (
    <div className="text-markdown" dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm, showSigns]}
        // Addresses are shown, not followed; the words of a refused one matter as evidence.
        urlTransform={(address) => address}
        components={buildComponents(onNavigate)}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
