package dev.sluice.wine;

/** The Win32 host has ended or does not answer; no call works in this process any more. */
public final class HostFailure extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    HostFailure(String message) {
        super(message);
    }

    HostFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
