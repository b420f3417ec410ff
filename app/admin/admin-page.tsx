import { useNavigate } from "@remix-run/react";
import { Page, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

export interface TitleAction {
  label: string;
  /** path of an app page, or a callback */
  onAction: string | (() => void);
  primary?: boolean;
  tone?: "critical";
  disabled?: boolean;
}

/**
 * Lays out a page. Shopify's admin shows the title and the buttons in its own title bar; screen readers also need one `main` and one `h1`
 * in the page itself.
 */
export function AdminPage(props: {
  title: string;
  /** the parent page */
  back?: { label: string; url: string };
  actions?: readonly TitleAction[];
  /** for wide tables and charts */
  fullWidth?: boolean;
  narrowWidth?: boolean;
  children: ReactNode;
}) {
  const { title, back, actions = [], fullWidth = false, narrowWidth = false, children } = props;
  const navigate = useNavigate();
  return (
    <main>
      <ui-title-bar title={title}>
        {back && (
          <button type="button" variant="breadcrumb" onClick={() => navigate(back.url)}>
            {back.label}
          </button>
        )}
        {actions.map(({ label, onAction, primary = false, tone, disabled = false }) => (
          <button
            key={label}
            type="button"
            {...(primary ? { variant: "primary" } : {})}
            {...(tone ? { tone } : {})}
            disabled={disabled}
            onClick={() => (typeof onAction === "string" ? navigate(onAction) : onAction())}
          >
            {label}
          </button>
        ))}
      </ui-title-bar>
      <Text as="h1" variant="headingLg" visuallyHidden>
        {title}
      </Text>
      <Page fullWidth={fullWidth} narrowWidth={narrowWidth}>
        {children}
      </Page>
    </main>
  );
}
