import { Banner } from "@shopify/polaris";

/** A problem that the merchant should solve. */
export interface Notice {
  key: string;
  tone: "warning" | "critical";
  title: string;
  text: string;
  url?: string;
  /** label of the link */
  action?: string;
}

export interface NamedNotice extends Notice {
  /** short name for the list of a combined notice */
  name: string;
}

interface CombinedText {
  title: (count: number) => string;
  /** @param names the first names, then "and 2 more" */
  text: (names: string) => string;
  url: string;
  action: string;
}

/** Names that a combined notice lists. */
const MAX_NAMES = 3;

/** Combines several notices on one subject into one with their count. The most severe comes first. */
export function combineNotices(notices: readonly NamedNotice[], { title, text, url, action }: CombinedText): Notice[] {
  const sorted = notices.toSorted((a, b) => Number(b.tone === "critical") - Number(a.tone === "critical"));
  const [first, second] = sorted;
  if (!first) return [];
  if (!second) return [first];
  const names = sorted.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = sorted.length - names.length;
  const listed = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return [{ key: url, tone: first.tone, title: title(sorted.length), text: text(listed), url, action }];
}

export function NoticeBanner({ notice: { tone, title, text, url, action } }: { notice: Notice }) {
  const link = url === undefined || action === undefined ? {} : { action: { content: action, url } };
  return (
    <Banner tone={tone} title={title} {...link}>
      <p>{text}</p>
    </Banner>
  );
}
