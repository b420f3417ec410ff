import { useNavigate } from "@remix-run/react";
import { Page, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

export interface TitleAction {
  label: string;
  /** a page of the app, or what to do */
  onAction: string | (() => void);
  primary?: boolean;
  tone?: "critical";
  disabled?: boolean;
}

/**
 * A page: its title and buttons stand in the admin's own title bar, its content here. It has one `main` and one heading of the first level, for
 * those who find their way by them.
 */
export function AdminPage(props: {
  title: string;
  /** the list that the page belongs to */
  back?: { label: string; url: string };
  actions?: readonly TitleAction[];
  /** for tables and charts that need the room */
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
