package dev.sluice.samples.io;

import java.io.IOException;

/** A peer has sent more ahead of its turn than there is memory for. */
final class PipelineLimitException extends IOException {

    private static final long serialVersionUID = 1L;

    PipelineLimitException(String message) {
        super(message);
    }
}
