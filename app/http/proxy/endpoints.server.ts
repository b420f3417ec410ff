import { z } from "zod";
import { Failure } from "../../platform/failure.ts";
import {
  failurePage,
  forShoppers,
  inputOf,
  isCustomer,
  loginRequired,
  outputOf,
  ownerTag,
  performForShopper,
  pageOfForm,
  signedQuery,
  type Form,
  type FormFields,
  type LiquidPage,
  type ListOwner,
  type Shopper,
} from "../../storefront/index.server.ts";
import type { Performable } from "../../wishlists/index.server.ts";
import { FORM_BODY } from "../body.server.ts";
import { endpoint, noBody, noParameters, type Description, type Endpoint } from "../endpoint.server.ts";
import type { Policy } from "../policy.server.ts";
import { customer, linkHolder, listOwner, shopper } from "./policies.server.ts";

const PAGE = { tag: "Storefront", query: signedQuery, data: "application/liquid", failurePage } as const;

interface Page<Params extends z.ZodType, Query extends z.ZodType> {
  operationId: string;
  summary: string;
  params: Params;
  query: Query;
  handle: (
    caller: Shopper,
    given: { params: z.output<Params>; query: z.output<Query>; withBody: boolean },
  ) => Promise<LiquidPage | Failure>;
}

/** A page of the store. */
export function page<Params extends z.ZodType, Query extends z.ZodType>({
  handle,
  ...declared
}: Page<Params, Query>): Endpoint {
  return endpoint({
    ...PAGE,
    ...declared,
    access: shopper,
    body: noBody,
    handle: ({ caller, ...given }) => handle(caller, given),
  });
}

/** What a page that is reached by a link confirms: the link allows it, so that the form can come from a mail program, too. */
export function pageOfLink<Params extends z.ZodType>({
  handle,
  ...declared
}: Omit<Page<Params, typeof noParameters>, "query">): Endpoint {
  return endpoint({
    ...PAGE,
    ...declared,
    access: linkHolder,
    // A mail program sends `List-Unsubscribe=One-Click`.
    body: z.looseObject({}),
    format: FORM_BODY,
    handle: ({ caller, params, withBody }) => handle(caller, { params, query: {}, withBody }),
  });
}

interface PlainForm<Body extends z.ZodType> extends Pick<Description, "performs"> {
  operationId: string;
  summary: string;
  access: Policy<Shopper, unknown>;
  body: Body;
  handle: (caller: Shopper, body: z.output<Body>) => Promise<LiquidPage | Failure>;
}

/** A form of a browser without JavaScript. */
export function plainForm<Body extends z.ZodType>({ handle, ...declared }: PlainForm<Body>): Endpoint {
  return endpoint({
    ...PAGE,
    ...declared,
    params: noParameters,
    format: FORM_BODY,
    handle: ({ caller, body }) => handle(caller, body),
  });
}

/** Mounts an operation as a form of the wishlist page, whose response is the page again. */
export function formOperation<Fields extends z.ZodType<FormFields>, Data extends z.ZodObject, Before>(
  form: Form<Fields, Data, Before>,
): Endpoint {
  const { operationId, summary, fields } = form;
  const show = pageOfForm(form);
  return plainForm({
    operationId,
    performs: form.operation.operationId,
    summary,
    access: customer,
    body: fields,
    handle: async (caller, body) => (isCustomer(caller) ? show(caller, body) : loginRequired()),
  });
}

interface ScriptCall<Body extends z.ZodType, Data extends Record<string, unknown>, Caller = Shopper> extends Pick<
  Description,
  "performs"
> {
  operationId: string;
  summary: string;
  access?: Policy<Shopper, unknown>;
  body: Body;
  bodyLimit?: number | undefined;
  data: z.ZodType<Data>;
  handle: (caller: Caller, body: z.output<Body>) => Promise<NoInfer<Data> | Failure>;
}

/** What the theme's and the page's scripts call. */
export function scriptCall<Body extends z.ZodType, Data extends Record<string, unknown>>({
  access = listOwner,
  bodyLimit,
  handle,
  ...declared
}: ScriptCall<Body, Data>): Endpoint {
  return endpoint({
    ...declared,
    access,
    ...(bodyLimit !== undefined && { bodyLimit }),
    tag: "Storefront",
    params: noParameters,
    query: signedQuery,
    async handle({ caller, body }) {
      const data = await handle(caller, body);
      return data instanceof Failure ? forShoppers(data) : { data };
    },
  });
}

/** A call about the lists of a customer or guest. The response names the owner, so that scripts notice another one. */
export function listCall<Body extends z.ZodType, Data extends Record<string, unknown>>({
  data: shape,
  handle,
  ...declared
}: ScriptCall<Body, Data, ListOwner>): Endpoint {
  return scriptCall({
    ...declared,
    data: shape.and(z.object({ owner: z.string() })),
    async handle(caller, body) {
      if (!caller.owner) return loginRequired();
      const data = await handle({ ...caller, owner: caller.owner }, body);
      return data instanceof Failure ? data : { ...data, owner: ownerTag(caller) };
    },
  });
}

/** Mounts an operation that the API has, too: its whole input is the body. */
export function shopperOperation(of: Performable): Endpoint {
  const { operationId, summary, customersOnly, inputLimit, data } = of;
  return listCall({
    operationId,
    summary,
    ...(customersOnly && { access: customer }),
    bodyLimit: inputLimit,
    body: inputOf(of),
    data: outputOf(data),
    handle: (caller, input) => performForShopper(of, caller, input),
  });
}
