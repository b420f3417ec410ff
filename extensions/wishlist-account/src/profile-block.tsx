import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { failureOf, readAccount } from "./service.ts";
import { t } from "./texts.ts";

/** Links to the wishlist. The number of saved items is missing when it can't be read. */
function ProfileBlock() {
  const [count, setCount] = useState<number>();
  useEffect(() => {
    readAccount().then(({ savedCount }) => setCount(savedCount), failureOf);
  }, []);
  return (
    <s-stack gap="base">
      <s-stack gap="small-200">
        <s-heading>{t("title")}</s-heading>
        <s-paragraph color="subdued">
          {count === undefined || count === 0 ? t("profile.text") : t("item_count", { count })}
        </s-paragraph>
      </s-stack>
      <s-stack direction="inline">
        <s-button href="extension:wishlist-account/">{t("profile.link")}</s-button>
      </s-stack>
    </s-stack>
  );
}

export default function main(): void {
  render(<ProfileBlock />, document.body);
}
