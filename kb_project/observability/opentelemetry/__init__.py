"""Recording spans with the SDK of OpenTelemetry; imported only where the environment asks for traces."""
