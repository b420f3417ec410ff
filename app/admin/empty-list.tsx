import { EmptyState, type EmptyStateProps } from "@shopify/polaris";
import type { ReactNode } from "react";

/** What is missing, as a drawing on a grid of 24. */
const GLYPHS = {
  heart: "M12 19.5 5.3 13a4.2 4.2 0 0 1 0-6 4.3 4.3 0 0 1 6 0l.7.7.7-.7a4.3 4.3 0 0 1 6 0 4.2 4.2 0 0 1 0 6z",
  bell: "M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5zM5 16.5h14M10.3 19a1.8 1.8 0 0 0 3.4 0",
  key: "M14.5 4.5a5 5 0 1 1-4.6 7L4.5 17v2.5H8v-2h2v-2h2l1.2-1.1M16.3 8.2h.01",
  arrows: "M5 9h13m-4-4 4 4-4 4M19 16H6m4-4-4 4 4 4",
  shield: "M12 4l6.5 2.5v5c0 4-2.7 6.8-6.5 8.5-3.8-1.7-6.5-4.5-6.5-8.5v-5zM9 12l2.2 2.2L15.2 10",
  clock: "M12 4.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15zM12 8v4.2l2.8 1.8",
  search: "M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l4.5 4.5",
  chart: "M5 19V5M5 19h14M9 16v-4M13 16V8M17 16v-6",
} as const;

/** Returns a picture of a page whose content is missing, as the address of an image. */
function picture(glyph: keyof typeof GLYPHS): string {
  const line = (y: number, width: number): string =>
    `<rect x="40" y="${y}" width="${width}" height="8" rx="4" fill="#d2d5d9"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 226 160" width="226" height="160">
    <rect x="20" y="16" width="186" height="128" rx="12" fill="#f1f2f4"/>
    <rect x="28" y="24" width="170" height="112" rx="8" fill="#fff"/>
    ${line(44, 60)}${line(64, 44)}${line(96, 52)}${line(116, 36)}
    <circle cx="148" cy="80" r="40" fill="#e3eefc"/>
    <path transform="translate(124 56) scale(2)" d="${GLYPHS[glyph]}" fill="none" stroke="#2a6fd6" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>
  </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

/** Stands in for a list, card or page without content: what will be there, and how it comes. */
export function EmptyList(props: {
  glyph: keyof typeof GLYPHS;
  heading: string;
  action?: EmptyStateProps["action"];
  children: ReactNode;
}) {
  const { glyph, children, heading, action } = props;
  return (
    // Polaris leaves more room below than above.
    <div style={{ marginBlockEnd: "calc(-1 * var(--p-space-1000))" }}>
      <EmptyState heading={heading} image={picture(glyph)} {...(action ? { action } : {})}>
        {children}
      </EmptyState>
    </div>
  );
}
