/** Styles of the report, for light and dark themes and for printing. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--bg:#eef1f4;--panel:#fff;--line:#e0e5eb;--strong:#8a94a1;--text:#1a1f27;--dim:#55606e;--accent:#0b63ce;--soft:#0b63ce1f;--good:#0f7a4d;--good-soft:#0f7a4d1f;--fair:#8a5a00;--fair-soft:#d9930033;--bad:#c62828;--bad-soft:#c6282824}
@media (prefers-color-scheme:dark){:root{--bg:#14171c;--panel:#1a1e25;--line:#2a303a;--strong:#616c7b;--text:#e6e9ee;--dim:#9aa4b2;--accent:#4da3ff;--soft:#4da3ff2e;--good:#3ecf8e;--good-soft:#3ecf8e26;--fair:#f2b84b;--fair-soft:#f2b84b26;--bad:#ff6b6b;--bad-soft:#ff6b6b2b}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:13px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1440px;margin:0 auto;padding:24px 16px 48px;display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}
h1{font-size:20px;line-height:28px;margin:0;overflow-wrap:anywhere}h2{font-size:15px;line-height:20px;margin:0 0 8px}h3{font-size:13px;margin:0 0 8px;overflow-wrap:anywhere}
p{margin:0 0 8px;color:var(--dim);max-width:90ch}small{color:var(--dim);font-size:11px;font-weight:400}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px}
section,.card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:16px;min-width:0}
.cards{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(320px,100%),1fr))}
.card dl{display:flex;flex-wrap:wrap;gap:12px 28px;margin:0}.card dt{color:var(--dim);font-size:11px}.card dd{margin:0;font-size:20px;line-height:28px;font-weight:600}
.good{color:var(--good)}.fair{color:var(--fair)}.bad{color:var(--bad)}
.gates{list-style:none;margin:0;padding:0;display:grid;gap:4px}.gates li{color:var(--text)}.gates .good b{color:var(--good)}.gates .bad b{color:var(--bad)}
.groups,.groups>[data-group]{display:grid;gap:16px;grid-template-columns:minmax(0,1fr)}.groups>[data-group][hidden]{display:none}
.pick{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;margin-bottom:8px}.pick label{color:var(--dim);font-size:11px}
select{font:inherit;color:inherit;background:var(--bg);border:1px solid var(--strong);border-radius:6px;padding:3px 8px;max-width:100%}
.scroll{overflow-x:auto;margin:0 -16px;padding:0 16px}
table{border-collapse:collapse;width:100%;font-size:12px}
th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--line);vertical-align:middle;white-space:nowrap;font-weight:400}
thead th{color:var(--dim);font-size:11px;font-weight:500;vertical-align:bottom}td.n,th.n{text-align:right}td small{display:block}
th button{font:inherit;color:inherit;background:none;border:0;padding:2px 0;cursor:pointer;text-align:inherit;border-radius:4px}th button small{display:block}
th button:hover{color:var(--text)}th[aria-sort] button{color:var(--accent)}th[aria-sort=ascending] button::before{content:"\\2191 "}th[aria-sort=descending] button::before{content:"\\2193 "}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.bar{display:inline-block;position:relative;min-width:72px;padding:1px 6px;text-align:right;border-radius:4px;background:var(--bg);overflow:hidden}
.bar i{position:absolute;inset:0 auto 0 0;background:var(--soft)}.bar b{position:relative;font-weight:600}
.bar.good i{background:var(--good-soft)}.bar.fair i{background:var(--fair-soft)}.bar.bad i{background:var(--bad-soft)}.bar.good b,.bar.fair b,.bar.bad b,.bar.plain b{color:var(--text)}
.chips{display:flex;flex-wrap:wrap;gap:4px}.chip{display:grid;min-width:64px;padding:2px 8px;border-radius:6px;text-align:right;background:var(--bg)}.chip.good{background:var(--good-soft)}.chip.fair{background:var(--fair-soft)}.chip.bad{background:var(--bad-soft)}.chip b,.chip small{color:var(--text)}
.map{display:grid;gap:3px}.map-row{display:grid;grid-template-columns:minmax(0,200px) minmax(0,1fr) 48px;gap:12px;align-items:center}.map-row svg{display:block}
.map-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.map-figure{text-align:right}
.map-clip{fill:var(--bg)}.map-tracked{fill:var(--accent);opacity:.55}.map-missed{fill:var(--bad);opacity:.22}.map-failure{fill:var(--bad)}
.map-axis div{display:flex;justify-content:space-between;color:var(--dim);font-size:10px}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;color:var(--dim);font-size:11px;margin:8px 0 0}.legend i{display:inline-block;width:14px;height:8px;border-radius:2px;margin-right:6px}
.facts{display:grid;grid-template-columns:minmax(120px,auto) minmax(0,1fr);gap:4px 16px;margin:0 0 8px}.facts dt{color:var(--dim)}.facts dd{margin:0;overflow-wrap:anywhere}
details{margin-top:8px}details table{margin-top:8px}details td{white-space:normal}summary{cursor:pointer;color:var(--accent)}
@media (max-width:700px){.map-row{grid-template-columns:minmax(0,96px) minmax(0,1fr) 40px;gap:8px}.map-axis span:nth-child(2n){display:none}.facts{grid-template-columns:minmax(0,1fr)}.facts dd{margin-bottom:4px}}
@media print{:root{color-scheme:light;--bg:#fff;--panel:#fff;--line:#ccc;--text:#000;--dim:#444;--accent:#0b63ce;--soft:#0b63ce33;--good:#0f7a4d;--good-soft:#0f7a4d33;--fair:#8a5a00;--fair-soft:#d9930044;--bad:#c62828;--bad-soft:#c6282833}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}main{max-width:none;padding:0}section,.card{break-inside:auto;border-color:#ccc}tr,.map-row,.card{break-inside:avoid}thead{display:table-header-group}.pick{display:none}.scroll{overflow:visible}table{font-size:8px}th,td{padding:3px 6px 3px 0;white-space:normal}}
`;
