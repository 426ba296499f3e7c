/** The style of the sandbox's page, light and dark as the browser prefers. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1d2329; --soft: #59636e; --paper: #f6f7f9; --card: #fff; --line: #d8dde3;
  --good: #1a7f37; --bad: #c02630; --mark: #0b6bcb; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaef; --soft: #98a3af; --paper: #14181d; --card: #1c2229; --line: #333c46;
    --good: #4cc26b; --bad: #ff7b7b; --mark: #6cb2ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .2rem 0; }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
article, .table { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
article { padding: .7rem 1rem; margin-bottom: .6rem; overflow-wrap: anywhere; }
article > div { display: flex; flex-wrap: wrap; gap: 0 .7rem; align-items: baseline; }
ol { margin: .4rem 0 0; padding: 0; list-style: none; }
li { display: flex; gap: .8rem; }
li ul { padding: 0; list-style: none; }
li time { flex: none; }
time, .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.badge { border: 1px solid currentColor; border-radius: 1rem; padding: 0 .55rem; font-size: .8rem; }
.ongoing { color: var(--mark); }
.ended { color: var(--soft); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem; border-bottom: 1px solid var(--line); }
tr:last-child > td { border-bottom: 0; }
th { font-weight: 600; color: var(--soft); font-size: .85rem; }
.number { text-align: right; }
code, pre { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
pre { margin: .3rem 0 0; white-space: pre-wrap; }
summary { cursor: pointer; }
`;
