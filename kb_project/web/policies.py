"""What browsers may do with the pages."""

# The one thing a screen uses is the clipboard, to write to it.
FORBIDDEN_FEATURES = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking"),
)
CONTENT_SECURITY_POLICY = "; ".join(
    [
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'", "form-action 'self'"),
    ]
)
PERMISSIONS_POLICY = ", ".join([*(f"{name}=()" for name in FORBIDDEN_FEATURES), "clipboard-write=(self)"])
