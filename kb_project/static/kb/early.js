// Before anything is drawn: what needs scripts has its place, and the law its size, so that nothing moves afterwards.
"use strict";
document.documentElement.classList.add("js");
document.documentElement.dataset.size = localStorage.getItem("kb-type-size") || "2";
