"""One program a claim. Each measures Boathouse and its peers in the same run and ends with one line of JSON."""
