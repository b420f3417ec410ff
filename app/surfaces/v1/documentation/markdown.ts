const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** Converts text with code, emphasis and links to HTML. */
export function inlineHtml(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith("`") && part.length > 1
        ? `<code>${escapeHtml(part.slice(1, -1))}</code>`
        : escapeHtml(part)
            .replaceAll(/\[([^\]]+)\]\((https:[^)\s]+)\)/g, '<a href="$2">$1</a>')
            .replaceAll(/\*([^*]+)\*/g, "<em>$1</em>"),
    )
    .join("");
}

function row(line: string, tag: "td" | "th"): string {
  const cells = line.replaceAll(/^\||\|$/g, "").split("|");
  return `<tr>${cells.map((cell) => `<${tag}>${inlineHtml(cell.trim())}</${tag}>`).join("")}</tr>`;
}

function blockHtml(block: string): string {
  if (block.startsWith("- ")) {
    const items = block.slice(2).split("\n- ");
    return `<ul>${items.map((item) => `<li>${inlineHtml(item)}</li>`).join("")}</ul>`;
  }
  if (!block.startsWith("|")) return `<p>${inlineHtml(block)}</p>`;
  const [head = "", , ...body] = block.split("\n");
  const rows = body.map((line) => row(line, "td")).join("");
  return `<table><thead>${row(head, "th")}</thead><tbody>${rows}</tbody></table>`;
}

export interface Section {
  title: string;
  html: string;
}

/** Returns the sections of a guide. Supports the Markdown that the guide uses: second-level headings, paragraphs, lists, tables, code, emphasis, links. */
export function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...blocks] = part.split(/\n{2,}|(?<=^[^\n]+)\n/).map((block) => block.trim());
      return {
        title,
        html: blocks
          .filter((block) => block !== "")
          .map(blockHtml)
          .join("\n"),
      };
    });
}
