document.getElementById("app").textContent = "The page has not been built.";
