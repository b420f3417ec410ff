import { BlockStack, Button, Text } from "@shopify/polaris";

/** Says whether the theme has the wishlist button. A merchant who changes the theme may have dismissed the guide long ago. */
export function ThemeStatus({ blocksActive, editorUrl }: { blocksActive: boolean | undefined; editorUrl: string }) {
  if (blocksActive === undefined) return null;
  return (
    <BlockStack gap="200" inlineAlign="center">
      <Text as="p" tone="subdued">
        {blocksActive ? "Your theme shows wishlist buttons." : "Your theme shows no wishlist buttons."}
      </Text>
      {!blocksActive && (
        <Button url={editorUrl} target="_top">
          Add to theme
        </Button>
      )}
    </BlockStack>
  );
}
