// Runs before the first paint, as a file: the page's policy refuses inline scripts.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
const density = localStorage.getItem("density");
if (density === "comfortable" || density === "compact") document.documentElement.dataset.density = density;
