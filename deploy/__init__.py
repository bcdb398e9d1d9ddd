"""What a deployment needs besides the image: Kubernetes manifests, the bill of materials."""
