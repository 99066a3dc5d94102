"""The web server: an OpenAI-compatible API, a JSON API of our own, and a page. Needs the extra `serve`."""
