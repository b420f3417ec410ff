/**
 * Reads the state of a page. Everything runs in the page: `installProbe` is sent as text and cannot use anything outside
 * itself.
 */
export interface Probe {
  /** the extension's elements with positions; unchanged while the extension is idle */
  ours: () => string;
  /** the theme's own elements with their attributes */
  theme: () => string[];
  /** positions of the theme's parts */
  layout: () => string[];
  /** the theme before the extension's script ran */
  before: { theme: string[]; layout: string[] };
  /** elements that layout shifts moved outside the header, and the sum of all shifts */
  moved: string[];
  shifted: number;
  /** hearts of visible cards, by the card's handle */
  hearts: () => { handle: string; card: Element; hearts: HTMLElement[] }[];
  counted: () => string[];
  strays: () => string[];
  misplaced: () => string[];
  small: (largest: number) => string[];
  covering: () => string[];
  linked: () => string[];
  unreachable: () => string[];
  wrong: (expected: Record<string, string>) => string[];
  saved: () => string[];
  /** scrolls the first visible heart of a product into view and returns its centre */
  aim: (handle: string) => Promise<{ x: number; y: number }>;
  name: (element: Element | null) => string;
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

declare global {
  interface Window {
    probe: Probe;
  }
}

export function installProbe(): void {
  const OURS = '[class*="whl-"],template,[data-wishlist-setup]';
  const all = (selector: string, within: ParentNode = document): HTMLElement[] => [
    ...within.querySelectorAll<HTMLElement>(selector),
  ];
  const isShown = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const isIn = (x: number, y: number, box: DOMRect): boolean =>
    x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  const middle = (element: Element): { x: number; y: number } => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  };
  const within = (inner: DOMRect, outer: DOMRect): boolean =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1;
  const overlap = (one: DOMRect, other: DOMRect): boolean =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  /** Shoppers cannot press a slide that is hidden. */
  const isClipped = (element: Element): boolean => {
    const clip = element.closest("[data-t-clip]")?.getBoundingClientRect();
    const box = element.getBoundingClientRect();
    return clip !== undefined && (box.left < clip.left - 1 || box.right > clip.right + 1);
  };
  const boxes = (part: HTMLElement): DOMRect[] => {
    if (!/title|price/.test(part.dataset["tPart"] ?? "")) return [part.getBoundingClientRect()];
    const range = document.createRange();
    range.selectNodeContents(part);
    return [...range.getClientRects()];
  };
  const shownHearts = (): HTMLElement[] => all("[data-wishlist-button]").filter(isShown);
  const eachHeart = (report: (heart: HTMLElement, card: Element) => string | undefined): string[] =>
    probe.hearts().flatMap(({ handle, card, hearts }) =>
      hearts.flatMap((heart) => {
        const problem = report(heart, card);
        return problem === undefined ? [] : `${handle}: ${problem}`;
      }),
    );
  const picture = (card: Element): Element | null =>
    card.matches('[data-t-part="picture"]') ? card : card.querySelector('[data-t-part="picture"]');

  // While the extension only reads, nothing changes although it has not finished.
  const { getBoundingClientRect } = Element.prototype;
  let looks = 0;
  Element.prototype.getBoundingClientRect = function () {
    looks++;
    return getBoundingClientRect.call(this);
  };

  const probe: Probe = {
    ours: () => {
      const found = [String(looks)];
      const elements = document.createNodeIterator(document.body, NodeFilter.SHOW_ELEMENT);
      for (let one = elements.nextNode(); one; one = elements.nextNode()) {
        if (!(one instanceof HTMLElement) || !one.className.includes("whl-")) continue;
        found.push(one.outerHTML + JSON.stringify(getBoundingClientRect.call(one)));
      }
      return found.join("");
    },
    theme: () =>
      all("body, body *")
        .filter((one) => !one.closest(OURS))
        .map((one) => {
          const attributes = [...one.attributes].map(({ name, value }) => `${name}="${value.slice(0, 80)}"`);
          return `<${[one.tagName.toLowerCase(), ...attributes].join(" ")}>`;
        }),
    layout: () =>
      all("[data-t-card],[data-t-part],main [data-t-place],main,footer").map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const place = [left + scrollX, top + scrollY, width, height].map((one) => Math.round(one)).join(" ");
        return `${probe.name(element)} ${place}`;
      }),
    before: { theme: [], layout: [] },
    moved: [],
    shifted: 0,
    hearts: () => {
      const hearts = shownHearts();
      return all("[data-t-card]")
        .filter((card) => isShown(card) && !isClipped(card))
        .map((card) => {
          const box = card.getBoundingClientRect();
          const own = hearts.filter((heart) => {
            const { x, y } = middle(heart);
            return card.contains(heart) || isIn(x, y, box);
          });
          return { handle: card.dataset["tCard"] ?? "", card, hearts: own };
        });
    },
    counted: () =>
      probe.hearts().flatMap(({ handle, hearts }) => (hearts.length === 1 ? [] : `${handle}: ${hearts.length} hearts`)),
    strays: () => {
      const cards = all("[data-t-card]").map((card) => card.getBoundingClientRect());
      const lost = shownHearts().filter((heart) => {
        const { x, y } = middle(heart);
        return !cards.some((box) => isIn(x, y, box)) && !heart.closest("[data-t-card]");
      });
      const inside = all("[data-t-place] [data-wishlist-button]");
      return [...new Set([...inside, ...lost])].map(
        (heart) =>
          `${heart.closest<HTMLElement>("[data-t-place]")?.dataset["tPlace"] ?? probe.name(heart.parentElement)}: ${heart.dataset["productHandle"] ?? ""}`,
      );
    },
    misplaced: () =>
      eachHeart((heart, card) => {
        const box = heart.getBoundingClientRect();
        const shot = picture(card)?.getBoundingClientRect();
        if (!within(box, card.getBoundingClientRect())) return "outside of its card";
        return shot === undefined || within(box, shot) ? undefined : "outside of its picture";
      }),
    small: (largest) =>
      eachHeart((heart) => {
        const { width, height } = heart.getBoundingClientRect();
        const isRight = [width, height].every((size) => size >= 43.5 && size <= largest);
        return isRight ? undefined : `${Math.round(width)} × ${Math.round(height)} px`;
      }),
    covering: () =>
      eachHeart((heart, card) => {
        const box = heart.getBoundingClientRect();
        const parts = all('[data-t-part]:not([data-t-part="picture"])', card).filter(isShown);
        const covered = parts.filter((part) => boxes(part).some((one) => overlap(box, one)));
        return covered.length === 0
          ? undefined
          : `covers ${covered.map((one) => one.dataset["tPart"] ?? "").join(", ")}`;
      }),
    linked: () =>
      eachHeart((heart) => {
        const outer = heart.parentElement?.closest("a,button,summary,label,[role=button],[aria-hidden=true] a");
        return outer ? `inside ${probe.name(outer)}` : undefined;
      }),
    unreachable: () =>
      eachHeart((heart, card) => {
        card.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        const { x, y } = middle(heart);
        const hit = document.elementFromPoint(x, y);
        if (!heart.contains(hit)) return `${probe.name(hit)} is hit in its place`;
        heart.focus();
        // Sliders remove their copies from the focus order, and the extension may do so too.
        const isFocused = document.activeElement === heart && heart.tabIndex >= 0;
        return isFocused || card.closest("[aria-hidden=true]") ? undefined : "takes no focus";
      }),
    wrong: (expected) =>
      probe.hearts().flatMap(({ handle, hearts }) =>
        hearts.flatMap(({ dataset }) => {
          const { productHandle = "", variantId, choice = "" } = dataset;
          const said = `${productHandle}/${variantId ?? choice}`;
          return said === `${handle}/${expected[handle] ?? ""}` ? [] : `${handle}: ${said}`;
        }),
      ),
    saved: () => [
      ...new Set(
        all('[data-wishlist-button][aria-pressed="true"]').map(({ dataset }) => dataset["productHandle"] ?? ""),
      ),
    ],
    aim: async (handle) => {
      const found = probe.hearts().find((one) => one.handle === handle);
      const heart = found?.hearts[0];
      if (!heart) throw new Error(`The card of ${handle} has no heart to press.`);
      found.card.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      // A carousel stops at the start of a slide.
      for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return middle(heart);
    },
    name: (element) => {
      if (!element) return "nothing";
      const { tPart, tCard } = element instanceof HTMLElement ? element.dataset : {};
      const owner = element.closest<HTMLElement>("[data-t-card]")?.dataset["tCard"];
      const css = element.getAttribute("class")?.split(" ")[0];
      return [element.tagName.toLowerCase() + (css ? `.${css}` : ""), tPart, tCard ?? owner].filter(Boolean).join(" ");
    },
  };
  window.probe = probe;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as LayoutShift[]) {
      probe.shifted += entry.value;
      for (const { node } of entry.sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (!element?.closest("[data-t-header]")) probe.moved.push(probe.name(element ?? null));
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
  document.addEventListener("readystatechange", () => {
    if (document.readyState === "interactive") probe.before = { theme: probe.theme(), layout: probe.layout() };
  });
}
