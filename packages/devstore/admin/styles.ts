/** Styles of the admin's pages, similar to Shopify's. */
export const ADMIN_CSS = `
:root { color-scheme: light; --line: #e3e3e3; --ink: #303030; --soft: #616161; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: #f1f1f1; color: var(--ink); font: 14px/1.5 Inter, system-ui, sans-serif; }
a { color: #005bd3; }
h1 { font-size: 20px; margin: 0 0 16px; } h2 { font-size: 15px; margin: 0 0 8px; } h3 { font-size: 14px; margin: 20px 0 8px; }
button, .button { display: inline-flex; align-items: center; min-height: 32px; padding: 4px 12px; border: 1px solid #b5b5b5; border-radius: 8px; background: #fff; color: var(--ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: #f7f7f7; }
button.primary, .button.primary { background: #303030; border-color: #303030; color: #fff; }
button.critical { border-color: #c70a24; color: #8e0b21; } button.primary.critical { background: #c70a24; border-color: #c70a24; color: #fff; }
button[disabled] { opacity: .5; cursor: default; }
:focus-visible { outline: 2px solid #005bd3; outline-offset: 2px; }
input, select { min-height: 32px; padding: 4px 8px; border: 1px solid #8a8a8a; border-radius: 8px; background: #fff; color: inherit; font: inherit; }
input[type=checkbox] { min-height: 0; width: 16px; height: 16px; }
.card { background: #fff; border-radius: 12px; padding: 16px; margin-bottom: 16px; box-shadow: 0 1px 0 rgb(0 0 0 / .08), 0 0 0 1px rgb(0 0 0 / .04); }
.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.soft { color: var(--soft); } .right { margin-left: auto; }
.top { display: flex; align-items: center; gap: 12px; height: 56px; padding: 0 16px; background: #1a1a1a; color: #e3e3e3; }
.top strong { color: #fff; } .top a { color: #e3e3e3; } .top button { display: none; background: none; border: 0; color: inherit; font-size: 18px; }
.shell { display: grid; grid-template-columns: 230px minmax(0, 1fr); min-height: calc(100vh - 56px); }
.side { padding: 12px; background: #ebebeb; }
.side a { display: block; padding: 5px 10px; border-radius: 8px; color: var(--ink); font-weight: 550; text-decoration: none; }
.side a:hover, .side a[aria-current] { background: #fafafa; }
.side h2 { margin: 16px 10px 4px; font-size: 12px; color: var(--soft); }
#app-menu a { padding-left: 30px; font-weight: 450; }
.page { max-width: 1000px; width: 100%; margin: 0 auto; padding: 24px 20px; }
.app { display: flex; flex-direction: column; min-width: 0; }
.title-bar { display: flex; align-items: center; flex-wrap: wrap; gap: 8px; min-height: 48px; padding: 6px 16px; background: #fff; border-bottom: 1px solid var(--line); font-weight: 600; }
#title-bar-title { display: flex; gap: 8px; align-items: center; } #title-bar-actions { display: flex; flex-wrap: wrap; gap: 8px; margin-left: auto; }
#app-frame { flex: 1; width: 100%; min-height: calc(100vh - 104px); border: 0; background: #f1f1f1; }
#save-bar { position: fixed; z-index: 5; top: 8px; left: 50%; transform: translateX(-50%); display: flex; align-items: center; gap: 8px; width: min(640px, calc(100vw - 16px)); padding: 6px 8px 6px 16px; border-radius: 12px; background: #303030; color: #fff; }
#save-bar[hidden] { display: none; } #save-bar span { margin-right: auto; } #save-bar button { background: #4a4a4a; border-color: #4a4a4a; color: #fff; } #save-bar button.primary { background: #fff; color: #303030; }
#toasts { position: fixed; z-index: 6; bottom: 24px; left: 0; right: 0; display: grid; justify-items: center; gap: 8px; pointer-events: none; }
.toast { display: flex; align-items: center; gap: 8px; padding: 8px 8px 8px 16px; border-radius: 8px; background: #1a1a1a; color: #fff; pointer-events: auto; } .toast.error { background: #8e0b21; }
.toast button { min-height: 24px; background: none; border: 0; color: inherit; }
body.loading::before { content: ""; position: fixed; z-index: 7; inset: 0 auto auto 0; height: 3px; width: 60%; background: #4fa2ff; }
.picker { width: min(36rem, calc(100vw - 2rem)); padding: 0; border: 0; border-radius: 12px; } .picker::backdrop { background: rgb(0 0 0 / .5); }
.picker header { padding: 12px 16px; background: #f3f3f3; font-weight: 600; } .picker input[type=search] { width: calc(100% - 32px); margin: 12px 16px; }
.picker ul { height: 50vh; overflow: auto; margin: 0; padding: 0 16px; list-style: none; } .picker label { display: flex; align-items: center; gap: 12px; padding: 8px 0; border-bottom: 1px solid var(--line); } .picker img { width: 40px; border-radius: 6px; }
.confirm { width: min(26rem, calc(100vw - 2rem)); padding: 0; border: 0; border-radius: 12px; } .confirm::backdrop { background: rgb(0 0 0 / .5); }
.confirm header { padding: 12px 16px; background: #f3f3f3; font-weight: 600; } .confirm p { margin: 0; padding: 16px; } .confirm form { display: flex; justify-content: flex-end; gap: 8px; padding: 12px 16px; border-top: 1px solid var(--line); }
.picker footer { display: flex; justify-content: flex-end; gap: 8px; padding: 12px 16px; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 6px 8px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-size: 12px; color: var(--soft); }
.scroll { overflow-x: auto; max-height: 460px; } td.wide { min-width: 14rem; overflow-wrap: anywhere; }
.ok { color: #0c5132; } .bad { color: #8e0b21; }
.below { margin-top: 12px; } select.shrinks { max-width: 100%; }
textarea { padding: 8px; border: 1px solid #8a8a8a; border-radius: 8px; font: inherit; }
.workflow { padding: 4px 0; } details { margin-top: 8px; } summary { cursor: pointer; } details form { margin-top: 12px; }
.email .text { white-space: pre-line; overflow-wrap: anywhere; } .page.wider { max-width: 1160px; }
.mail { display: grid; grid-template-columns: minmax(0, 300px) minmax(0, 1fr); gap: 16px; align-items: start; }
.messages { max-height: 80vh; overflow: auto; margin: 0; padding: 0; list-style: none; border-radius: 12px; background: #fff; }
.messages a { display: grid; padding: 10px 14px; border-bottom: 1px solid var(--line); color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.messages a[aria-current] { background: #eaf4ff; box-shadow: inset 3px 0 #005bd3; } .messages .row { flex-wrap: nowrap; } .one-line { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.switch { display: inline-flex; border: 1px solid #b5b5b5; border-radius: 8px; overflow: hidden; } .switch a { padding: 4px 12px; color: var(--ink); text-decoration: none; } .switch a[aria-current] { background: #303030; color: #fff; }
.tools { margin: 12px 0; } .paper { overflow-x: auto; margin: 0 -16px -16px; padding: 16px; border-radius: 0 0 12px 12px; background: #e3e3e3; }
.paper iframe { display: block; height: 70vh; margin: 0 auto; border: 0; background: #fff; }  pre { margin: 0; font-size: 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
td.actions { width: 1%; } td.actions form { flex-wrap: nowrap; }
input.units { width: 4.5rem; }
table.variants input { width: 6.5rem; } table.variants td { vertical-align: middle; }
.narrow { max-width: 560px; }
label.field { display: grid; gap: 4px; margin-bottom: 12px; }
@media (max-width: 760px) { .mail { grid-template-columns: minmax(0, 1fr); } .messages { max-height: 32vh; } .paper { padding: 0; } .shell { grid-template-columns: minmax(0, 1fr); } .side { display: none; position: fixed; z-index: 4; inset: 56px 20% 0 0; overflow: auto; } body.menu-open .side { display: block; } .top button { display: inline-flex; } }
`;
