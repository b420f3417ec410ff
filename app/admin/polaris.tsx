import { Link } from "@remix-run/react";
import { AppProvider } from "@shopify/polaris";
import type { LinkLikeComponentProps } from "@shopify/polaris/build/ts/src/utilities/link";
import english from "@shopify/polaris/locales/en.json" with { type: "json" };
import type { ReactNode } from "react";

/** Within the app without a new page; out of it as any link. */
function AppLink({ url, external, target, children, disabled: _, ...rest }: LinkLikeComponentProps) {
  if (url.startsWith("/") && target === undefined) {
    return (
      <Link to={url} {...rest}>
        {children}
      </Link>
    );
  }
  const leaves = external === true ? { target: "_blank", rel: "noopener noreferrer" } : { target };
  return (
    <a href={url} {...leaves} {...rest}>
      {children}
    </a>
  );
}

/** What Polaris' components need around them. */
export function Polaris({ children }: { children: ReactNode }) {
  return (
    <AppProvider i18n={english} linkComponent={AppLink}>
      {children}
    </AppProvider>
  );
}
