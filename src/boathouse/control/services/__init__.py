"""The services that the control plane can see, and how they are."""
