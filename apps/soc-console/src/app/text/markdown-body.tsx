import type { ComponentProps, MouseEvent, ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeText } from "./safe-text.ts";

export interface MarkdownProps {
  text: string;
  /** Opens a page of the console: a path that starts with one slash. Without it, such a link is text. */
  onNavigate?: ((path: string) => void) | undefined;
}

type MarkdownNode = { type: string; value?: unknown; children?: MarkdownNode[] };

/** Shows invisible characters in every text before rendering. */
function showSigns() {
  return (tree: MarkdownNode): void => visit(tree);
}

function visit(node: MarkdownNode): void {
  if (typeof node.value === "string") node.value = safeText(node.value);
  for (const child of node.children ?? []) visit(child);
}

const isOwnPath = (href: string) => /^\/(?![/\\])/.test(href);

/** No link leaves the console: the address appears beside its text, to be read and copied. */
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
    // An image would be loaded from another host. Show its alternative text.
    img: ({ src, alt = "" }: ComponentProps<"img">) => (
      <OutsideLink href={typeof src === "string" ? src : ""}>{alt}</OutsideLink>
    ),
    // A task list item: an icon, not a control.
    input: ({ checked }: ComponentProps<"input">) => (checked ? "☑" : "☐"),
    // A table head without text: an empty cell is not a heading.
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
        // Addresses are shown but not linked. The text of a rejected link is evidence.
        urlTransform={(address) => address}
        components={buildComponents(onNavigate)}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
