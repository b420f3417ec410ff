import { Link } from "@remix-run/react";
import { AppProvider } from "@shopify/polaris";
import type { LinkLikeComponentProps } from "@shopify/polaris/build/ts/src/utilities/link";
import english from "@shopify/polaris/locales/en.json" with { type: "json" };
import type { ReactNode } from "react";

/** Navigates with the router within the app, and like a plain link elsewhere. */
function AppLink({ url, external, target, children, disabled: _, ...rest }: LinkLikeComponentProps) {
  if (url.startsWith("/") && target === undefined) {
    return (
      <Link to={url} {...rest}>
        {children}
      </Link>
    );
  }
  const externalProps = external === true ? { target: "_blank", rel: "noopener noreferrer" } : { target };
  return (
    <a href={url} {...externalProps} {...rest}>
      {children}
    </a>
  );
}

/** Provides translations and links to Polaris' components. */
export function Polaris({ children }: { children: ReactNode }) {
  return (
    <AppProvider i18n={english} linkComponent={AppLink}>
      {children}
    </AppProvider>
  );
}
