"""The web application as it is served. Its sources are in `ui/` of the repository; `dist/` is what was built out of them."""
