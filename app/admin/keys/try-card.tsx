import { Badge, Banner, BlockStack, Box, Button, Card, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { useCallback, useState } from "react";
import { useForm } from "../form.ts";
import { TRIAL_CALLS } from "./calls.ts";
import type { KeyData } from "./key-data.ts";

interface Outcome {
  path: string;
  /** undefined when nothing came back */
  status: number | undefined;
  body: string;
}

/** Sends the request as any client would: with the token alone, which App Bridge leaves as it is. */
async function perform(path: string, token: string): Promise<Outcome> {
  try {
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` }, credentials: "omit" });
    const text = await answer.text();
    const body = answer.headers.get("content-type")?.includes("json")
      ? JSON.stringify(JSON.parse(text), null, 2)
      : text;
    return { path, status: answer.status, body };
  } catch {
    return { path, status: undefined, body: "" };
  }
}

/** Tries the key with a real request. */
export function TryCard({ apiKey }: { apiKey: KeyData }) {
  const offered = Object.entries(TRIAL_CALLS).filter(([, { scope }]) => apiKey.scopes.includes(scope));
  const [chosen, setChosen] = useState(offered[0]?.[0] ?? "");
  const [parameter, setParameter] = useState("");
  const [missing, setMissing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const call = TRIAL_CALLS[chosen];
  const path = call?.path(parameter.trim()) ?? "";
  const onDone = useCallback(
    (token: string) => {
      void perform(path, token).then(setOutcome);
    },
    [path],
  );
  const form = useForm<string>("try", {}, { hidden: { scope: call?.scope ?? "" }, onDone });

  if (!call) return null;
  const send = (): void => {
    const lacking = call.parameter !== undefined && parameter.trim() === "";
    setMissing(lacking);
    setOutcome(undefined);
    if (!lacking) form.submit();
  };
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Try this key
        </Text>
        <Text as="p" tone="subdued">
          Send a real request with this key&apos;s permissions. It uses a temporary access token that expires in one
          minute.
        </Text>
        <Select
          label="Request"
          options={offered.map(([value, { label }]) => ({ value, label }))}
          value={chosen}
          onChange={setChosen}
        />
        {call.parameter !== undefined && (
          <TextField
            label={call.parameter}
            value={parameter}
            onChange={setParameter}
            autoComplete="off"
            error={missing ? "Enter a customer ID, such as 7001234567890." : ""}
          />
        )}
        {form.problem !== undefined && (
          <Banner tone="critical">
            <p>{form.problem}</p>
          </Banner>
        )}
        <InlineStack align="end">
          <Button onClick={send} loading={form.busy}>
            Send request
          </Button>
        </InlineStack>
        <div aria-live="polite">{outcome && <Answer {...outcome} />}</div>
      </BlockStack>
    </Card>
  );
}

function Answer({ path, status, body }: Outcome) {
  if (status === undefined) {
    return (
      <Banner tone="warning">
        <p>The service couldn't be reached. Send the request again.</p>
      </Banner>
    );
  }
  return (
    <BlockStack gap="200">
      <InlineStack gap="200" blockAlign="center">
        <Badge tone={status < 400 ? "success" : "critical"}>{String(status)}</Badge>
        <Text as="span" breakWord>
          GET {path}
        </Text>
      </InlineStack>
      <Box background="bg-surface-secondary" padding="300" borderRadius="200" overflowX="scroll">
        <pre style={{ margin: 0 }} tabIndex={0} aria-label="Response">
          {body}
        </pre>
      </Box>
    </BlockStack>
  );
}
