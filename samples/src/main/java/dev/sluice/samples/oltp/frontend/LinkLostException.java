package dev.sluice.samples.oltp.frontend;

import java.io.IOException;

/** The link that a request was sent on has ended: it may have been executed or not. */
final class LinkLostException extends IOException {

    private static final long serialVersionUID = 1;

    LinkLostException(Exception cause) {
        super(cause.getMessage(), cause);
    }
}
