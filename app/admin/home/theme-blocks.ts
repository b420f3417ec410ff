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

/**
 * Returns whether the theme contains the wishlist button, on product cards or product pages.
 * @returns undefined until Shopify responds
 */
export function useThemeBlocksActive(): boolean | undefined {
  const [active, setActive] = useState<boolean>();
  useEffect(() => {
    let unmounted = false;
    shopify.app.extensions().then(
      (extensions) => {
        const blocks = extensions.flatMap(({ activations }): object[] => activations);
        if (!unmounted) setActive(blocks.some(isActiveBlock));
      },
      // After an error the state stays unknown.
      () => undefined,
    );
    return () => {
      unmounted = true;
    };
  }, []);
  return active;
}
