import { useEffect, useState } from "react";

/** File names in extensions/wishlist-theme/blocks. */
const EMBED = "wishlist-embed";
const BUTTON = "wishlist-button";

/** Returns links to the theme editor that add a block. The merchant only saves. */
export function editorLinks(domain: string, apiKey: string): { embed: string; button: string } {
  const editor = `https://${domain}/admin/themes/current/editor`;
  return {
    embed: `${editor}?context=apps&template=product&activateAppId=${apiKey}/${EMBED}`,
    button: `${editor}?template=product&addAppBlockId=${apiKey}/${BUTTON}&target=mainSection`,
  };
}

/** App Bridge lists activations of several extension types. Only theme blocks have a status. */
function isActiveBlock(block: object): boolean {
  if (!("handle" in block && "status" in block)) return false;
  return (block.handle === EMBED || block.handle === BUTTON) && block.status === "active";
}

/** How often the theme is looked at again until it has the button. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Returns whether the theme contains the wishlist button, on product cards or product pages, also when the merchant adds it in another tab.
 * @returns undefined until Shopify responds
 */
export function useThemeBlocksActive(): boolean | undefined {
  const [active, setActive] = useState<boolean>();
  const isDone = active === true;
  useEffect(() => {
    let unmounted = false;
    const look = (): void => {
      if (document.visibilityState !== "visible") return;
      shopify.app.extensions().then(
        (extensions) => {
          const blocks = extensions.flatMap(({ activations }): object[] => activations);
          if (!unmounted) setActive(blocks.some(isActiveBlock));
        },
        // After an error the state stays as it was.
        () => undefined,
      );
    };
    if (isDone) return undefined;
    look();
    const timer = setInterval(look, POLL_INTERVAL_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      unmounted = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [isDone]);
  return active;
}
