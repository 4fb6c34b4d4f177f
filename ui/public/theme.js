// Before anything is painted, so that a dark page never flashes white. Not inline: the policy refuses inline scripts.
const chosen = localStorage.getItem("boathouse-theme");
const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
