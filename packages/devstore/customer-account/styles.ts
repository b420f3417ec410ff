/** The style of the pages around the extensions. */
export const ACCOUNT_CSS = `
:root { color-scheme: light; }
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: #f5f5f4; color: #222824; font: 16px/1.5 system-ui, "Segoe UI", sans-serif; }
.top { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; justify-content: space-between; padding: 14px 20px; background: #fff; border-bottom: 1px solid #deded9; }
.top a { color: inherit; text-decoration: none; }
.top a:hover { text-decoration: underline; }
.top nav { display: flex; gap: 20px; }
.store { font: 20px Georgia, serif; }
main { max-width: 1000px; margin: 0 auto; padding: 24px 16px 96px; }
h1 { font-size: 24px; margin: 0 0 16px; }
h2 { font-size: 16px; margin: 0 0 4px; }
p { margin: 0; }
.card { background: #fff; border: 1px solid #deded9; border-radius: 10px; padding: 20px; margin-bottom: 16px; }
iframe { display: none; }
#toast { position: fixed; inset: auto 16px 24px; display: flex; justify-content: center; pointer-events: none; }
#toast span { max-width: 100%; padding: 10px 16px; border-radius: 8px; background: #222824; color: #fff; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid #2f4a3a; outline-offset: 2px; }
`;
