import { TextField } from "@shopify/polaris";

/** Edits the origins at which a publishable key works. */
export function OriginsField(props: { name: string; value: string; onChange: (value: string) => void; error: string }) {
  return (
    <TextField
      {...props}
      label="Allowed origins"
      helpText="One per line, such as https://www.example.com. https://*.example.com allows all subdomains, and http://localhost:3000 your own computer."
      multiline={3}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
