import type { ComponentChildren } from "preact";
import { t } from "./texts.ts";

interface Props {
  isDefault: boolean;
  shop: string;
  /** shown above the text */
  children: ComponentChildren;
}

/** Shows that a list has no items, and where to find some. */
export function EmptyList({ isDefault, shop, children }: Props) {
  return (
    <s-section heading={isDefault ? t("empty.heading") : t("empty.list_heading")}>
      <s-stack gap="base">
        {children}
        <s-paragraph>{isDefault ? t("empty.text") : t("empty.list_text")}</s-paragraph>
        <s-stack direction="inline">
          <s-button variant="primary" href={`https://${shop}/collections/all`}>
            {t("empty.browse")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-section>
  );
}
