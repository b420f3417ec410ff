import { BlockStack, Box, Button, Card, InlineGrid, Select, Text, TextField } from "@shopify/polaris";
import { useFetcher } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { ALERT_KINDS, alertKindSchema, type AlertKind } from "../../alerts/kinds.ts";
import { EMAIL_LANGUAGES } from "../../email/settings.ts";
import { FailureText } from "../failure-text.tsx";
import { FormProblem } from "../form-problem.tsx";
import type { ClientFormResult } from "../form-request.ts";
import { useForm, usePageAction, type AdminForm } from "../use-form.ts";
import { ALERT_LABELS } from "./alert-labels.ts";

/** Milliseconds after the last edit until the preview shows it. */
const SETTLED_MS = 500;

const WIDTHS = [
  { value: "360", label: "Phone" },
  { value: "640", label: "Computer" },
];

export interface ShownMessage {
  subject: string;
  html: string;
}

const LANGUAGES = Object.entries(EMAIL_LANGUAGES).map(([value, label]) => ({ value, label }));

/** Shows an example with what the form has now, saved or not. @param props.first the example with what is saved */
export function EmailPreview(props: {
  form: AdminForm<unknown>;
  version: number;
  first: ShownMessage;
  /** whether tests can be sent; undefined where nothing is ever sent */
  canTest: boolean | undefined;
}) {
  const { form, version, first, canTest } = props;
  const [kind, setKind] = useState<AlertKind>("price_dropped");
  const [language, setLanguage] = useState("en");
  const [width, setWidth] = useState("360");
  const fetcher = useFetcher<ClientFormResult<ShownMessage>>();
  const action = usePageAction();
  const [shown, setShown] = useState(first);
  const wanted = JSON.stringify({ ...form.values, version: String(version), kind, language, intent: "preview" });
  const [requested, setRequested] = useState(wanted);

  useEffect(() => {
    if (wanted === requested || fetcher.state !== "idle") return undefined;
    const timer = setTimeout(() => {
      setRequested(wanted);
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form.values, version: String(version), kind, language })) {
        for (const item of typeof value === "string" ? [value] : value) body.append(name, item);
      }
      body.append("intent", "preview");
      fetcher.submit(body, { method: "post", action });
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [wanted, requested, fetcher, form.values, version, kind, language, action]);

  useEffect(() => {
    // What is wrong stands at its field once the form is saved. Until then the last example stays.
    if (fetcher.data?.ok === true) setShown(fetcher.data.data);
  }, [fetcher.data]);

  const onSent = useCallback(() => {
    shopify.toast.show("Test sent");
  }, []);
  // Of what is wrong in the form, the example says nothing; it stands at the field once the form is saved.
  const unreachable = fetcher.data?.ok === false && fetcher.data.requestFailed === true;
  const test = useForm("test", { to: "" }, { hidden: { kind, language }, onDone: onSent });
  return (
    <Card>
      <BlockStack gap="400">
        <InlineGrid columns={{ xs: 1, sm: 3 }} gap="300">
          <Select
            label="Kind of alert"
            options={ALERT_KINDS.map((value) => ({ value, label: ALERT_LABELS[value].label }))}
            value={kind}
            onChange={(value) => setKind(alertKindSchema.parse(value))}
          />
          <Select label="Language" options={LANGUAGES} value={language} onChange={setLanguage} />
          <Select label="Size" options={WIDTHS} value={width} onChange={setWidth} />
        </InlineGrid>
        <BlockStack gap="100">
          <Text as="p" tone="subdued">
            Subject
          </Text>
          <Text as="p" fontWeight="semibold" breakWord>
            {shown.subject}
          </Text>
        </BlockStack>
        <Box borderColor="border" borderWidth="025" borderRadius="200" overflowX="scroll">
          <iframe
            title="Preview of the email"
            srcDoc={shown.html}
            sandbox=""
            style={{ display: "block", border: 0, width: `${width}px`, height: "560px", margin: "0 auto" }}
          />
        </Box>
        {unreachable && <FailureText text="The app can't be reached, so this is the example from before." />}
        <FormProblem of={[test]} title="The test wasn't sent" />
        {canTest !== undefined && (
          <TextField
            {...test.text("to")}
            label="Send a test to"
            type="email"
            autoComplete="email"
            placeholder="you@example.com"
            helpText={canTest ? "The test has what is saved." : "Save the settings first. The test has what is saved."}
            disabled={!canTest}
            connectedRight={
              <Button onClick={test.submit} loading={test.busy} disabled={!canTest}>
                Send test
              </Button>
            }
          />
        )}
      </BlockStack>
    </Card>
  );
}
