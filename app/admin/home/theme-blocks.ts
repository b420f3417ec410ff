import { useEffect, useState } from "react";

/** Names of files in extensions/wishlist-theme/blocks. */
const EMBED = "wishlist-embed";
const BUTTON = "wishlist-button";

/** Where the theme editor opens with the block put in place; the merchant only saves. */
export function editorLinks(domain: string, apiKey: string): { embed: string; button: string } {
  const editor = `https://${domain}/admin/themes/current/editor`;
  return {
    embed: `${editor}?context=apps&template=product&activateAppId=${apiKey}/${EMBED}`,
    button: `${editor}?template=product&addAppBlockId=${apiKey}/${BUTTON}&target=mainSection`,
  };
}

/** App Bridge lists activations of several kinds of extensions; blocks alone have a status. */
function isHeartOn(block: object): boolean {
  if (!("handle" in block && "status" in block)) return false;
  return (block.handle === EMBED || block.handle === BUTTON) && block.status === "active";
}

/**
 * Is the heart in the theme, on cards or on product pages? Shopify alone knows.
 * @returns undefined until it has answered
 */
export function useHeartsOn(): boolean | undefined {
  const [on, setOn] = useState<boolean>();
  useEffect(() => {
    let gone = false;
    shopify.app.extensions().then(
      (extensions) => {
        const blocks = extensions.flatMap(({ activations }): object[] => activations);
        if (!gone) setOn(blocks.some(isHeartOn));
      },
      // Unknown is not "off": the step just stays open.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return on;
}
