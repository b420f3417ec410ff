// Takes the theme's colours and corners from computed styles: themes name their variables differently, or have none.
window.wishlistAppearance ??= (() => {
  /** Contrast of text that is still legible. */
  const LEGIBLE = 3;
  /** Corners of panels and pictures are never rounder, whatever the theme's buttons are. */
  const ROUND = "12px";

  /** Red, green, blue and alpha; undefined for colours in other notations. */
  function channels(color) {
    const [red, green, blue, alpha = 1] = (/^rgba?\(([^)]+)\)$/.exec(color)?.[1].split(/[\s,/]+/) ?? []).map(Number);
    return blue === undefined ? undefined : { rgb: [red, green, blue], alpha };
  }

  const isTransparent = (color) => channels(color)?.alpha === 0;

  function luminance(rgb) {
    const [red, green, blue] = rgb.map((one) => (one > 10 ? ((one / 255 + 0.055) / 1.055) ** 2.4 : one / 3295));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** What the root stands on: the background of the nearest element that has one. */
  function groundOf(root) {
    for (let element = root; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (!isTransparent(color)) return color;
    }
    return "Canvas";
  }

  function dress(root) {
    const text = getComputedStyle(root).color;
    const ink = channels(text);
    let ground = groundOf(root);
    const paper = channels(ground === "Canvas" ? "rgb(255, 255, 255)" : ground);
    // A picture may be behind the text: then its colour is all that is known.
    if (ink && paper && contrast(ink.rgb, paper.rgb) < LEGIBLE) ground = luminance(ink.rgb) > 0.18 ? "#000" : "#fff";
    const { style } = root;
    style.setProperty("--wl-ink", ink ? `rgb(${ink.rgb.join()})` : text);
    style.setProperty("--wl-paper", paper?.alpha < 1 && ground !== "#000" ? `rgb(${paper.rgb.join()})` : ground);
    const button = root.querySelector(".wl-button");
    if (!button) return;
    root.classList.remove("wl-bare");
    const look = getComputedStyle(button);
    style.setProperty("--wl-radius", look.borderTopLeftRadius);
    style.setProperty("--wl-corner", `min(${look.borderTopLeftRadius.split(" ")[0]}, ${ROUND})`);
    const isBare =
      parseFloat(look.borderTopWidth) === 0 &&
      isTransparent(look.backgroundColor) &&
      look.backgroundImage === "none" &&
      look.boxShadow === "none";
    // The theme has no style for `.button`.
    if (isBare) root.classList.add("wl-bare");
  }

  return { dress };
})();
