// The style sheet of the page of an analysis: light and dark, for wide and narrow screens.
#pragma once

#include <string_view>

namespace hotkeyd {

// Text stands out from its ground by at least 4.5 to 1, bars by 3 to 1, in both schemes.
inline constexpr std::string_view kAnalysisStyle = R"(
:root{color-scheme:light dark;--ground:#fff;--text:#1f2328;--quiet:#57606a;--line:#d0d7de;--panel:#f6f8fa;--curve:#1d4ed8;
--heat0:#cf6f05;--heat1:#c81e1e;--heat2:#7e1d6b;--heat3:#2b0f3a}
@media (prefers-color-scheme:dark){:root{--ground:#14171c;--text:#e6edf3;--quiet:#9aa5b1;--line:#3a424d;--panel:#1d222a;
--curve:#8ab4ff;--heat0:#b84a86;--heat1:#f0653a;--heat2:#fbad3c;--heat3:#fcf3b0}}
*{box-sizing:border-box}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1200px;padding:1.5rem 1rem 3rem;background:var(--ground);
color:var(--text)}
h1{font-size:1.6rem;margin:0}h2{font-size:1.2rem;margin:2.2rem 0 .3rem}
p{margin:.3rem 0}.quiet{color:var(--quiet)}
.facts{display:grid;grid-template-columns:repeat(4,1fr);gap:.6rem;margin:1rem 0}
.facts div{display:flex;flex-direction:column;justify-content:space-between;background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem}
.facts dt{color:var(--quiet);font-size:.85rem}
.facts dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
.facts small{font-size:.85rem;color:var(--quiet)}
.key{font-family:ui-monospace,monospace;font-size:.85rem;overflow-wrap:anywhere}
.n,.peak{text-align:right;font-variant-numeric:tabular-nums}
.timeline{margin-top:.6rem}
.row{display:grid;grid-template-columns:17rem 1fr 7rem;gap:0 .8rem;align-items:center;padding:.2rem 0;
border-bottom:1px solid var(--line)}
.row>.peak{font-size:.85rem}
.track{display:block;width:100%;height:1.1rem;background:var(--panel) repeating-linear-gradient(90deg,var(--line) 0 1px,transparent 1px 25%)}
.scale,.scale .key{color:var(--quiet);font:.8rem system-ui,sans-serif}
.ticks{display:flex;justify-content:space-between}.ticks span{display:flex;width:0;justify-content:center;white-space:nowrap}
.ticks span:first-child{justify-content:flex-start}.ticks span:last-child{justify-content:flex-end}
.legend{color:var(--quiet);font-size:.85rem}.legend span{margin-left:.8rem;white-space:nowrap}
.legend i{display:inline-block;width:1.2rem;height:.8rem;margin-right:.35rem;vertical-align:-1px}
.heat0{fill:var(--heat0);background:var(--heat0)}.heat1{fill:var(--heat1);background:var(--heat1)}
.heat2{fill:var(--heat2);background:var(--heat2)}.heat3{fill:var(--heat3);background:var(--heat3)}
.scroll{overflow-x:auto}
.shares{display:block;width:100%;min-width:520px;max-width:760px;font:12px system-ui,sans-serif}
.shares text{fill:var(--text);stroke:var(--ground);stroke-width:4px;paint-order:stroke}.shares .grid{stroke:var(--line)}
.shares circle{fill:var(--curve)}.shares .error{stroke:var(--curve);stroke-width:3;opacity:.6}
.shares polyline{fill:none;stroke:var(--curve);stroke-width:1.5}
table{border-collapse:collapse;width:100%;min-width:62rem;font-size:.9rem}
th,td{padding:.3rem .6rem;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--quiet);font-weight:600}
td.key{min-width:16rem}td:last-child{min-width:8rem}.t{white-space:nowrap;font-variant-numeric:tabular-nums}
@media (max-width:44rem){.facts{grid-template-columns:repeat(2,1fr)}.row{grid-template-columns:1fr auto}.row>.key{grid-area:1/1}.row>.peak{grid-area:1/2}
.row>.track,.row>.ticks{grid-area:2/1/3/3}}
@media (max-width:60rem){.ticks span:nth-child(even){display:none}}
@media print{.scroll{overflow:visible}table{min-width:0}.track,i{print-color-adjust:exact}}
)";

}  // namespace hotkeyd
